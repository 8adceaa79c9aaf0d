// How it stands with a rematch of a game that is over, as far as this reader has been told: a plain function
// from what was known and what is heard to what is known. Only the server starts or ends anything.

import type { Table } from '../../client';

export type Reason = 'declined' | 'withdrawn' | 'expired' | 'offline' | 'left' | 'closed';

/** Who had asked when a request ended; none if nobody had. */
export type Asker = 'me' | 'other' | undefined;

export type Offer =
  /** Nothing can be asked for. */
  | { is: 'none' }
  /** Whoever likes may ask, until then. */
  | { is: 'available'; until?: string | undefined }
  /** We said yes; the others have until then. */
  | { is: 'waiting'; until?: string | undefined }
  /** Somebody asks, and we have until then. */
  | { is: 'requested'; fromSeat?: number | undefined; until?: string | undefined }
  | { is: 'ended'; reason: Reason; asker: Asker };

/** What can be heard of it. */
export type Heard =
  | { is: 'table'; table: Pick<Table, 'phase' | 'rematch' | 'rematchUntil'> }
  | { is: 'asked'; until: string | undefined }
  | { is: 'request'; fromSeat: number; isMine: boolean; until: string | undefined }
  /** `weAsk`: it is the answer to our own asking. */
  | { is: 'ended'; reason: string; weAsk?: boolean }
  | { is: 'timeUp' };

const REASONS: readonly string[] = ['declined', 'withdrawn', 'expired', 'offline', 'left', 'closed'] satisfies Reason[];
/** After these the entry is still there. */
const LEAVES_OPEN: readonly Reason[] = ['withdrawn', 'expired', 'offline'];

/** Whether a rematch may be asked for. */
export function mayAsk(offer: Offer): boolean {
  return offer.is === 'available' || (offer.is === 'ended' && LEAVES_OPEN.includes(offer.reason));
}

/** Whether an answer is awaited, ours or the others'. */
export const isPending = ({ is }: Offer): boolean => is === 'waiting' || is === 'requested';

/** What is known after something is heard. */
export function after(offer: Offer, heard: Heard): Offer {
  switch (heard.is) {
    case 'table':
      return told(offer, heard.table);
    case 'asked':
      return { is: 'waiting', until: heard.until };
    case 'request':
      return heard.isMine
        ? { is: 'waiting', until: heard.until }
        : { is: 'requested', fromSeat: heard.fromSeat, until: heard.until };
    case 'ended':
      // A word of a newer server: nothing more is known than that it is over.
      return { is: 'ended', reason: REASONS.includes(heard.reason) ? (heard.reason as Reason) : 'closed', asker: heard.weAsk ? 'me' : askerOf(offer) };
    case 'timeUp':
      return mayAsk(offer) ? { is: 'ended', reason: 'closed', asker: undefined } : offer;
  }
}

function askerOf(offer: Offer): Asker {
  if (offer.is === 'waiting') {
    return 'me';
  }
  return offer.is === 'requested' ? 'other' : undefined;
}

function told(offer: Offer, { phase, rematch, rematchUntil: until }: Pick<Table, 'phase' | 'rematch' | 'rematchUntil'>): Offer {
  if (phase !== 'over') {
    return { is: 'none' };
  }
  switch (rematch) {
    case 'waiting':
      return { is: 'waiting', until: until ?? (offer.is === 'waiting' ? offer.until : undefined) };
    case 'requested':
      return { is: 'requested', ...(offer.is === 'requested' && { fromSeat: offer.fromSeat, until: offer.until }), ...(until && { until }) };
    case 'available':
      // Why the last request ended stays in sight.
      return offer.is === 'ended' && mayAsk(offer) ? offer : { is: 'available', until };
    default:
      return offer.is === 'ended' ? offer : { is: 'none' };
  }
}

/** Whether a game that starts goes on where an ended one left off. */
export function isNextOf(ended: Table | undefined, offer: Offer, started: Table): boolean {
  if (ended?.phase !== 'over' || ended.yourSeat === undefined || started.gameId === ended.gameId) {
    return false;
  }
  const { series } = ended;
  if (series?.id && series.id === started.series?.id) {
    // A page that shows an older game of the series is left alone.
    return started.series.games.at(-1)?.gameId === askedOf(ended);
  }
  // After a match the next one is a series of its own; it is awaited, at the same seats.
  return (
    isPending(offer) &&
    ended.match !== undefined &&
    started.match?.bestOf === ended.match.bestOf &&
    started.yourSeat === ended.yourSeat &&
    started.series?.games.length === 0 &&
    started.seats.length === ended.seats.length &&
    started.seats.every(({ seat, name }) => ended.seats.find((other) => other.seat === seat)?.name === name)
  );
}

/** The game whose rematch is meant: of a rematch that was called off, the one before it. */
export function askedOf({ gameId, outcome, series }: Pick<Table, 'gameId' | 'outcome' | 'series'>): string {
  const before = series?.games.findLast((game) => game.gameId !== gameId);
  return outcome?.reason === 'aborted' && before ? before.gameId : gameId;
}
