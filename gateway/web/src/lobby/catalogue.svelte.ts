// The games that the server offers and this page can show.

import { Problem } from '../../client';
import { gameNames, gamePart, type GamePart } from '../games';
import { session } from '../session.svelte';
import { optionsOf, type Option } from './options';

export interface Offer {
  game: string;
  part: GamePart;
  robots: boolean;
  seatsMin: number;
  seatsMax: number;
  options: Option[];
}

class Catalogue {
  /** Absent until the server has answered. */
  offers: Offer[] | undefined = $state.raw();
  #isAsking = false;

  /** Asks the server, unless it has answered already. */
  async load(): Promise<void> {
    if (this.offers || this.#isAsking) {
      return;
    }
    this.#isAsking = true;
    try {
      const games = await session.http.catalogue();
      const ordered = gameNames.flatMap((name) => games.filter(({ game }) => game === name));
      this.offers = ordered.flatMap(({ game, robots, seatsMin, seatsMax, optionsSchema }) => {
        const part = gamePart(game);
        return part ? [{ game, part, robots, seatsMin, seatsMax, options: optionsOf(optionsSchema) }] : [];
      });
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error;
      }
      // The lobby asks again when there is a connection.
    } finally {
      this.#isAsking = false;
    }
  }
}

export const catalogue = new Catalogue();
