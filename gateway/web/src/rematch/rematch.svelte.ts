// The rematch of one table's game: hears what the server says of it, asks and answers, and leads on to the next game.

import type { Events, Table } from '../../client';
import { notices } from '../notices.svelte';
import { session } from '../session.svelte';
import { after, askedOf, isNextOf, isPending, type Heard, type Offer } from './offer';

interface Leads {
  /** Another one asks: the card has to be seen. */
  onrequest: () => void;
  /** The next game has started. */
  onnext: (gameId: string) => void;
}

/** A rematch, for as long as its table is shown. */
export class Rematch {
  offer: Offer = $state.raw({ is: 'none' });
  /** True while our own word is on its way. */
  isBusy = $state(false);
  readonly #gameId: string;
  readonly #leads: Leads;
  readonly #stops: (() => void)[];
  #table: Table | undefined;
  #isAsking = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(gameId: string, leads: Leads) {
    this.#gameId = gameId;
    this.#leads = leads;
    const { client } = session;
    this.#stops = [
      client.on('onRematchRequest', (request) => this.#requested(request)),
      client.on('onRematchEnded', (ended) => {
        if (this.#isMeant(ended.gameId)) {
          this.#hear({ is: 'ended', reason: ended.reason, weAsk: this.#isAsking });
        }
      }),
      client.on('onGameStart', ({ table }) => table && this.#started(table)),
      client.on('onNextGame', ({ gameId: ended, nextGameId }) => {
        if (ended === this.#gameId) {
          this.#leads.onnext(nextGameId);
        }
      }),
      client.on('welcome', ({ offers, tables }) => {
        // What started while there was no connection.
        if (isPending(this.offer)) {
          tables.forEach((table) => this.#started(table));
        }
        offers.forEach((offer) => this.#requested(offer));
      }),
    ];
  }

  /** Takes in the table, each time that it is told or changes. */
  note(table: Table): void {
    const isFirst = this.#table === undefined;
    this.#table = table;
    // A rematch that was called off opens the entry of the game before it again.
    const isReopened = table.rematch === undefined && askedOf(table) !== table.gameId;
    this.#hear({ is: 'table', table: isReopened ? { ...table, rematch: 'available' } : table });
    // Somebody may have asked while another page was shown.
    const request = isFirst && session.requests.get(askedOf(table));
    if (request) {
      this.#requested(request);
    }
  }

  /** Asks for a rematch, or accepts one. */
  ask = async (): Promise<void> => {
    if (this.isBusy || !this.#table) {
      return;
    }
    this.isBusy = this.#isAsking = true;
    try {
      const answer = await session.client.call('rematch', { gameId: askedOf(this.#table) });
      // The other answers come in as events.
      if (answer.is === 'ack') {
        this.#hear({ is: 'asked', until: answer.value.expiresAt });
      }
    } catch (error) {
      notices.refuse(error);
    } finally {
      this.isBusy = this.#isAsking = false;
    }
  };

  /** Says no, or takes one's own request back. */
  decline = async (): Promise<void> => {
    if (this.isBusy || !this.#table) {
      return;
    }
    this.isBusy = true;
    try {
      await session.client.call('declineRematch', { gameId: askedOf(this.#table) });
    } catch (error) {
      notices.refuse(error);
    } finally {
      this.isBusy = false;
    }
  };

  stop(): void {
    clearTimeout(this.#timer);
    this.#stops.forEach((stop) => stop());
  }

  #isMeant(gameId: string): boolean {
    return gameId === this.#gameId || (this.#table !== undefined && gameId === askedOf(this.#table));
  }

  #requested({ gameId, fromSeat, expiresAt }: Events['onRematchRequest']): void {
    if (!this.#isMeant(gameId) || this.#table?.yourSeat === undefined) {
      return;
    }
    const isMine = fromSeat === this.#table.yourSeat;
    this.#hear({ is: 'request', fromSeat, isMine, until: expiresAt });
  }

  #started(table: Table): void {
    if (isNextOf(this.#table, this.offer, table)) {
      this.#leads.onnext(table.gameId);
    }
  }

  #hear(heard: Heard): void {
    const was = this.offer.is;
    this.offer = after(this.offer, heard);
    if (this.offer.is === 'requested' && was !== 'requested') {
      this.#leads.onrequest();
    }
    clearTimeout(this.#timer);
    // Nobody says so when the time to ask is over; whoever still asks is told.
    const until = this.offer.is === 'available' ? Date.parse(this.offer.until ?? '') : Number.NaN;
    if (!Number.isNaN(until)) {
      this.#timer = setTimeout(() => this.#hear({ is: 'timeUp' }), Math.max(0, until - session.client.clock.now()));
    }
  }
}
