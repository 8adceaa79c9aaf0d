// What the card says of a rematch.

import type { Table } from '../../client';
import { session } from '../session.svelte';
import { nameAt } from '../table/narrator';
import { t } from '../texts';
import { mayAsk, type Offer } from './offer';

/** The one line of an offer; none where there is nothing to say. */
export function offerLine(offer: Offer, table: Table): string | undefined {
  const others = table.seats.filter(({ seat }) => seat !== table.yourSeat);
  const only = others.length === 1 ? nameAt(table, others[0]!.seat) : undefined;
  switch (offer.is) {
    case 'none':
    case 'available':
      return undefined;
    case 'waiting':
      return only === undefined ? t.rematch.waitingMany : t.rematch.waiting(only);
    case 'requested': {
      const name = offer.fromSeat === undefined ? only : nameAt(table, offer.fromSeat);
      return name === undefined ? t.rematch.requestedMany : t.rematch.requested(name);
    }
    case 'ended': {
      if (offer.reason === 'left' && session.tables.size > 0) {
        return t.rematch.leftByMe;
      }
      const words = t.rematch.ended[offer.reason];
      if (offer.asker === undefined) {
        // Nobody had asked as far as we knew; so it is over, or we were not there.
        return mayAsk(offer) ? t.rematch.missed : words.many;
      }
      return only === undefined ? words.many : words[offer.asker](only);
    }
  }
}
