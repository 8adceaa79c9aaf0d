// Who plays in this browser, the one connection, and the games of theirs that go on.

import { SvelteMap } from 'svelte/reactivity';
import { Client, Http, Problem, socketAddress, type Draw, type Events, type Guest, type Status, type Table } from '../client';
import { changed, placeOf } from '../client/changed-table';
import { remember, remembered, whenChangedElsewhere } from './shelf';

type Request = Events['onRematchRequest'];

/** A pass is renewed when less than this is left of it. */
const RENEW_BELOW_MS = 15 * 86_400_000;
/** How often a page that stays open looks whether it is time. */
const LOOK_EVERY_MS = 3_600_000;

class Session {
  guest: Guest | undefined = $state.raw(remembered<Guest>('guest'));
  status: Status = $state.raw({ is: 'closed' });
  /** True once there was a connection at all. */
  wasOnline = $state(false);
  /** My tables in progress, as far as they are known. */
  readonly tables = new SvelteMap<string, Table>();
  /** Rematches that are asked for, by the game that has ended. */
  readonly requests = new SvelteMap<string, Request>();
  /** My last table that ended, for the names of who asks. */
  ended: Table | undefined = $state.raw();
  readonly http = new Http(location.origin);
  readonly client = new Client({ url: socketAddress(location), token: () => this.#token() });
  #signingUp: Promise<Guest> | undefined;

  constructor() {
    const { client } = this;
    client.on('status', (status) => {
      this.status = status;
      this.wasOnline ||= status.is === 'online';
    });
    client.on('welcome', ({ tables, offers, accountId, name }) => {
      this.tables.clear();
      this.requests.clear();
      offers.forEach((offer) => this.requests.set(offer.gameId, offer));
      tables.forEach((table) => this.tables.set(table.gameId, table));
      if (this.guest && (this.guest.accountId !== accountId || this.guest.name !== name)) {
        this.#keep({ ...this.guest, accountId, name });
      }
    });
    client.on('onGameStart', ({ table }) => {
      if (table?.yourSeat !== undefined) {
        this.requests.clear();
        this.tables.set(table.gameId, table);
      }
    });
    client.on('onRematchRequest', (request) => this.requests.set(request.gameId, request));
    client.on('onRematchEnded', ({ gameId }) => this.requests.delete(gameId));
    client.on('searchCancelled', ({ gameId }) => this.tables.delete(gameId));
    client.on('table', (table) => {
      if (this.tables.has(table.gameId)) {
        this.#note(table);
      }
    });
    for (const is of ['onGameUpdate', 'onSeatTaken', 'onClock', 'onGameEnd', 'onPresence', 'onViewers'] as const) {
      client.on(is, (value) => {
        const table = this.tables.get(value.gameId);
        const event = { is, value } as Parameters<typeof changed>[1];
        if (table && placeOf(table, event) === 'next') {
          this.#note(changed(table, event));
        }
      });
    }
    whenChangedElsewhere('guest', () => {
      const guest = remembered<Guest>('guest');
      if (guest?.token !== this.guest?.token) {
        this.guest = guest;
        this.reconnect();
      }
    });
    // The server hangs up when a pass runs out; the next hello is said with a new one.
    setInterval(() => void this.#token().catch(() => undefined), LOOK_EVERY_MS);
    addEventListener('online', () => client.connect());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') {
        client.connect();
      }
    });
    client.connect();
  }

  /** True while there is a connection. */
  get isOnline(): boolean {
    return this.status.is === 'online';
  }

  /** Becomes a new guest of that name; the old one keeps the games that are over. */
  async rename(name: string): Promise<void> {
    this.#keep(await this.http.guest(name));
    this.reconnect();
  }

  /** Gives the guest a name of their own and a password; who they are and what they play stays. */
  async takeName(name: string, password: string): Promise<void> {
    this.#keep(await this.http.takeName(await this.#token(), name, password));
    this.reconnect();
  }

  /** Becomes somebody who has a name already. */
  async signIn(name: string, password: string): Promise<void> {
    this.#keep(await this.http.signIn(name, password));
    this.reconnect();
  }

  /** Another password for the account. All its other sessions end. */
  async changePassword(old: string, chosen: string): Promise<void> {
    const token = await this.#token();
    // This session ends too, and another one begins: what is said in between would be refused.
    this.client.close();
    try {
      this.#keep(await this.http.changePassword(token, old, chosen));
    } finally {
      this.client.connect();
    }
  }

  /** Leaves the account, here or everywhere, and goes on as a new guest. */
  async signOut(isEverywhere: boolean): Promise<void> {
    if (isEverywhere) {
      await this.http.signOutEverywhere(await this.#token());
    }
    this.renew();
  }

  /** Deletes the account and goes on as a new guest. */
  async deleteMe(): Promise<void> {
    await this.http.deleteMe(await this.#token());
    this.renew();
  }

  /** How a game's first move was drawn, with what proves it. */
  draw(gameId: string): Promise<Draw> {
    return this.http.draw(gameId, this.guest?.token);
  }

  /** Becomes a new guest after the server refused the old one. */
  renew(): void {
    this.#keep(undefined);
    this.reconnect();
  }

  reconnect(): void {
    this.client.close();
    this.client.connect();
  }

  async #token(): Promise<string> {
    // Another tab may have signed up in the meantime.
    const known = this.guest ?? remembered<Guest>('guest');
    if (known) {
      this.guest = known;
      return (await this.#renewed(known)).token;
    }
    this.#signingUp ??= this.http.guest().finally(() => (this.#signingUp = undefined));
    const guest = await this.#signingUp;
    this.#keep(remembered<Guest>('guest') ?? guest);
    if (!this.guest) {
      throw new Problem('OFFLINE', 'signing up gave no guest');
    }
    return this.guest.token;
  }

  /** The guest with a pass that is good for a while; a server that can't renew it now still takes the old one. */
  async #renewed(guest: Guest): Promise<Guest> {
    const left = Date.parse(guest.expiresAt) - Date.now();
    if (!(left < RENEW_BELOW_MS)) {
      return guest;
    }
    try {
      const renewed = { ...guest, ...(await this.http.refresh(guest.token)) };
      this.#keep(renewed);
      return renewed;
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error;
      }
      return guest;
    }
  }

  #keep(guest: Guest | undefined): void {
    this.guest = guest;
    remember('guest', guest);
  }

  #note(table: Table): void {
    if (table.phase === 'over') {
      this.ended = table;
      this.tables.delete(table.gameId);
    } else {
      this.tables.set(table.gameId, table);
    }
  }
}

export const session = new Session();
