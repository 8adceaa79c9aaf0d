// The little of a WebSocket that a connection needs, so that a test can play the server.

/** A socket that carries text. */
export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

/** Opens a socket at an address. */
export type OpenSocket = (url: string) => Socket;

/** The subprotocol of JSON frames. */
export const SUBPROTOCOL = 'astragal.v1.json';

/** Opens a browser's own socket. */
export const openWebSocket: OpenSocket = (url) => new WebSocket(url, SUBPROTOCOL) as unknown as Socket;

/** The socket's address at the server that a page came from. */
export function socketAddress(page: { protocol: string; host: string }): string {
  return `${page.protocol === 'https:' ? 'wss' : 'ws'}://${page.host}/v1/ws`;
}
