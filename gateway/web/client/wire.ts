// The protocol's types, as its JSON frames carry them. All follow from the proto files: the message
// type says what is always printed, the JSON type says how.

import type {
  ClientFrame as ClientFrameMessage,
  ClientFrameJson,
  ServerFrame as ServerFrameMessage,
  ServerFrameJson,
} from '../generated/astragal/gateway/v1/frames_pb';

/** Any JSON value; game content (moves, views, options) is one. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * The JSON form `J` of a message `M`, as a server prints it: fields that a message always has are
 * always there, `optional` ones and messages may be absent.
 */
type Printed<M, J> = [null] extends [J]
  ? Json
  : [J] extends [string | number | boolean]
    ? J
    : [J] extends [readonly (infer JE)[]]
      ? [M] extends [readonly (infer ME)[]]
        ? Printed<ME, JE>[]
        : Json[]
      : Shown<
          { [K in keyof J as IsOptional<M, K> extends true ? never : K]-?: Printed<Field<M, K>, Given<J, K>> } & {
            [K in keyof J as IsOptional<M, K> extends true ? K : never]?: Printed<Field<M, K>, Given<J, K>>;
          }
        >;
type Shown<T> = { [K in keyof T]: T[K] };
type Given<J, K extends keyof J> = Exclude<J[K], undefined>;
type Field<M, K> = K extends keyof M ? NonNullable<M[K]> : never;
type IsOptional<M, K> = K extends keyof M ? (undefined extends M[K] ? true : false) : true;

type Case<E> = E extends { case: infer C extends string; value: infer M } ? [C, M] : never;
type ByCase<U, J> = {
  [P in Case<U> as P[0]]: P[0] extends keyof J ? Printed<P[1], Given<J, P[0]>> : never;
};

/** What a client may ask for: the operation's name and its fields. */
export type Operations = ByCase<ClientFrameMessage['operation'], ClientFrameJson>;
/** What a server says: the event's (or answer's) name and its fields. */
export type Events = ByCase<ServerFrameMessage['event'], ServerFrameJson>;

/** The name of an operation. */
export type OperationName = keyof Operations;
/** The name of an event or answer. */
export type EventName = keyof Events;

/** A frame to the server. */
export type ClientFrame = { id: string } & { [K in OperationName]?: Operations[K] };
/** A frame from the server. */
export type ServerFrame = { replyTo?: string } & { [K in EventName]?: Events[K] };

/** A table, as this viewer may see it. */
export type Table = Events['table'];
/** A seat of a table. */
export type Seat = Table['seats'][number];
/** What the clocks of a table show. */
export type Clock = NonNullable<Table['clock']>;
/** A clock as it is asked for. */
export type ClockRequest = NonNullable<Table['timeControl']>;
/** A move that was made or taken back. */
export type GameUpdate = Events['onGameUpdate'];
/** How a game ended. */
export type Outcome = NonNullable<Table['outcome']>;
/** How it was drawn who goes first. */
export type Draw = NonNullable<Table['draw']>;
/** One round of a draw. */
export type DrawRound = Draw['rounds'][number];
/** One tile drawn. */
export type DrawPick = DrawRound['picks'][number];
/** A game that waits for players. */
export type OpenGame = Events['openGames']['games'][number];
/** The answer to `hello`. */
export type Welcome = Events['welcome'];

/** Which answers an operation has, besides `error`. */
export interface Answers {
  hello: 'welcome';
  newGame: 'searching';
  newFriendGame: 'searching';
  newBotGame: 'onGameStart';
  joinGame: 'onGameStart';
  cancelSearch: 'searchCancelled';
  watchOpenGames: 'openGames';
  unwatchOpenGames: 'ack';
  watch: 'table' | 'ack' | TableEventName;
  unwatch: 'ack';
  move: 'ack';
  undo: 'ack';
  resign: 'ack';
  leaveGame: 'ack';
  abortGame: 'ack';
  rematch: 'ack' | 'onGameStart' | 'onRematchEnded';
  declineRematch: 'ack';
  ping: 'pong';
}

/** An answer, told apart by its name. */
export type Answer<K extends OperationName> = {
  [E in Answers[K]]: { is: E; value: Events[E] };
}[Answers[K]];

/** The events that change a table and carry its revision, and those of who is there, which have none. */
export type TableEventName = 'onGameUpdate' | 'onSeatTaken' | 'onClock' | 'onGameEnd' | 'onPresence' | 'onViewers';
/** One of those events. */
export type TableEvent = { [E in TableEventName]: { is: E; value: Events[E] } }[TableEventName];

/** Operations that change something: their id is an idempotency key, and they are sent again. */
export const CHANGES: ReadonlySet<OperationName> = new Set<OperationName>([
  'newGame',
  'newFriendGame',
  'newBotGame',
  'joinGame',
  'cancelSearch',
  'move',
  'undo',
  'resign',
  'leaveGame',
  'abortGame',
  'rematch',
  'declineRematch',
]);
