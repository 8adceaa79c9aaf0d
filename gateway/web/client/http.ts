// The calls over plain HTTP: signing up, the catalogue, tables and logs.

import { Problem } from './problem';
import type { Draw, Json, Table } from './wire';

/** A guest who has signed up, or somebody with a name of their own. */
export interface Guest {
  accountId: string;
  name: string;
  token: string;
  expiresAt: string;
  /** True once there is a password. */
  isNamed?: boolean;
}

/** A game that can be played, by one version of its rules. */
export interface CatalogueGame {
  game: string;
  version: number;
  variants: string[];
  seatsMin: number;
  seatsMax: number;
  /** By variant: what its players draw from for the first move. */
  drawSets: string[];
  robots: boolean;
  /** JSON Schemas. */
  optionsSchema: Json;
  moveSchema: Json;
  viewSchema: Json;
}

/** The HTTP side of a gateway. */
export class Http {
  constructor(readonly origin: string) {}

  /** Signs up a guest; the server finds a name where none is given. */
  guest(name?: string): Promise<Guest> {
    return this.#json<Guest>('/v1/guests', { method: 'POST', body: JSON.stringify(name ? { name } : {}) });
  }

  /** Gives a guest a name of their own and a password. */
  async takeName(token: string, name: string, password: string): Promise<Guest> {
    const init = { method: 'POST', body: JSON.stringify({ name, password }) };
    return { ...(await this.#json<Guest>('/v1/accounts', init, token)), isNamed: true };
  }

  /** Begins a session of somebody with a name. */
  async signIn(name: string, password: string): Promise<Guest> {
    return { ...(await this.#json<Guest>('/v1/sessions', { method: 'POST', body: JSON.stringify({ name, password }) })), isNamed: true };
  }

  /** Another password for whoever knows the old one; the session that is answered is the only one from then on. */
  async changePassword(token: string, oldPassword: string, newPassword: string): Promise<Guest> {
    const init = { method: 'POST', body: JSON.stringify({ oldPassword, newPassword }) };
    return { ...(await this.#json<Guest>('/v1/me/password', init, token)), isNamed: true };
  }

  /** Ends all sessions of an account. */
  async signOutEverywhere(token: string): Promise<void> {
    await this.#ask('/v1/sessions', { method: 'DELETE' }, token);
  }

  /** Deletes an account. */
  async deleteMe(token: string): Promise<void> {
    await this.#ask('/v1/me', { method: 'DELETE' }, token);
  }

  /** How it was drawn who goes first, with what proves it. */
  draw(gameId: string, token?: string): Promise<Draw> {
    return this.#json<Draw>(`/v1/tables/${encodeURIComponent(gameId)}/draw`, {}, token);
  }

  /** Renews the pass of somebody whose present one still counts. */
  refresh(token: string): Promise<Omit<Guest, 'name'>> {
    return this.#json('/v1/sessions/refresh', { method: 'POST' }, token);
  }

  /** Tables that anyone may watch, newest first. */
  async liveTables(limit: number): Promise<Table[]> {
    return (await this.#json<{ tables?: Table[] }>(`/v1/tables?state=live&limit=${limit}`)).tables ?? [];
  }

  /** The table as a stranger sees it. */
  table(gameId: string): Promise<Table> {
    return this.#json<Table>(`/v1/tables/${encodeURIComponent(gameId)}`);
  }

  /** The finished log, as the very text that the server gives. */
  async log(gameId: string): Promise<string> {
    return (await this.#ask(`/v1/tables/${encodeURIComponent(gameId)}/log`)).text();
  }

  /** My games, the newest first; those before a game, where one is given. */
  async myTables(token: string, limit: number, after?: string): Promise<Table[]> {
    const since = after === undefined ? '' : `&after=${encodeURIComponent(after)}`;
    return (await this.#json<{ tables?: Table[] }>(`/v1/me/tables?limit=${limit}${since}`, {}, token)).tables ?? [];
  }

  /** The steps of a finished game from one to another, a line each. */
  async timeline(gameId: string, from: number, to: number): Promise<string> {
    return (await this.#ask(`/v1/tables/${encodeURIComponent(gameId)}/timeline?from=${from}&to=${to}`)).text();
  }

  /** The games that this server offers. */
  async catalogue(): Promise<CatalogueGame[]> {
    return (await this.#json<{ games?: CatalogueGame[] }>('/v1/games')).games ?? [];
  }

  async #json<T>(path: string, init?: RequestInit, token?: string): Promise<T> {
    return (await this.#ask(path, init, token)).json() as Promise<T>;
  }

  async #ask(path: string, init: RequestInit = {}, token?: string): Promise<Response> {
    let answer: Response;
    try {
      const headers = {
        ...(init.body && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      };
      answer = await fetch(this.origin + path, { headers, ...init });
    } catch {
      throw new Problem('OFFLINE', 'the server could not be reached');
    }
    if (!answer.ok) {
      throw Problem.read(await answer.json().catch(() => undefined));
    }
    return answer;
  }
}
