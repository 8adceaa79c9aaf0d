// The client of an Astragal gateway, apart from any page.

export { canonical } from './canonical';
export { Client } from './client';
export { remainingAt } from './countdown';
export type { ConnectionSettings, Status } from './connection';
export type { Stop } from './emitter';
export type { Follower } from './follower';
export type { History, Made } from './history';
export { Http, type CatalogueGame, type Guest } from './http';
export { Problem, type Code, type LocalCode } from './problem';
export { bytesOf, hexOf, sha256, sha256OfText } from './sha256';
export { socketAddress } from './socket';
export { milliseconds } from './time';
export type * from './wire';
