// One picture: where, in front of which server, and what is done before it is taken.

import type { Page } from 'playwright-core';
import type { Scene, Stage } from '../stage';

export interface Shot {
  path?: string;
  scene?: Scene;
  /** Whether the draw has been shown already. */
  isDrawSeen?: boolean;
  /** The language, where it isn't English. */
  tongue?: string;
  act?: (page: Page, stage: Stage) => Promise<void>;
}
