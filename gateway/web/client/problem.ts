// What went wrong, in the protocol's own terms. It doesn't know how a page words it.

import type { Json } from './wire';

/** The closed set of reasons that a server gives. */
export type Code =
  | 'INVALID_ARGUMENT'
  | 'UNAUTHENTICATED'
  | 'PERMISSION_DENIED'
  | 'NOT_FOUND'
  | 'ILLEGAL_MOVE'
  | 'NOT_YOUR_TURN'
  | 'CONCURRENT_MOVE'
  | 'GAME_OVER'
  | 'GAME_IN_PROGRESS'
  | 'UNDO_REFUSED'
  | 'INVALID_GAME'
  | 'SEAT_TAKEN'
  | 'NAME_TAKEN'
  | 'ALREADY_SEARCHING'
  | 'FAILED_PRECONDITION'
  | 'RATE_LIMITED'
  | 'TOO_LARGE'
  | 'UNAVAILABLE'
  | 'INTERNAL';

/** Reasons of the client's own: no server was reached, or what it said makes no sense. */
export type LocalCode = 'OFFLINE' | 'GARBLED' | 'CLOSED';

/** A refused call, with a reason that can be told apart and a sentence for the log. */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly code: Code | LocalCode,
    message: string,
    readonly details?: Json,
  ) {
    super(message);
  }

  /** A problem from an `error` frame or the body of an HTTP answer. */
  static read(body: unknown): Problem {
    if (typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string') {
      const message = 'message' in body && typeof body.message === 'string' ? body.message : body.code;
      return new Problem(body.code as Code, message, 'details' in body ? (body.details as Json) : undefined);
    }
    return new Problem('GARBLED', 'the server answered with something that is no error of the protocol');
  }

  /** True if the same thing may work a little later. */
  get passes(): boolean {
    return ['OFFLINE', 'UNAVAILABLE', 'INTERNAL', 'RATE_LIMITED', 'GARBLED'].includes(this.code);
  }
}
