// A socket whose other end is the test.

import type { OpenSocket, Socket } from '../socket';
import type { ClientFrame, ServerFrame } from '../wire';

/** One opened socket, as the server sees it. */
export class FakeSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly sent: ClientFrame[] = [];
  isClosed = false;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientFrame);
  }

  close(): void {
    this.isClosed = true;
  }

  /** The frames of one operation. */
  asked<K extends keyof ClientFrame>(operation: K): (ClientFrame & Required<Pick<ClientFrame, K>>)[] {
    return this.sent.filter((frame) => frame[operation] !== undefined) as never;
  }

  /** The last frame. */
  get last(): ClientFrame {
    return this.sent.at(-1)!;
  }

  say(frame: ServerFrame): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  /** The connection breaks. */
  break(code = 1006): void {
    this.onclose?.({ code });
  }

  /** Opens and welcomes. */
  welcome(): void {
    this.onopen?.();
    this.say({
      replyTo: 'hello',
      welcome: {
        accountId: 'a',
        name: 'Ada',
        serverTime: new Date(Date.now() + 5_000).toISOString(),
        pingInterval: '20s',
        tables: [],
        openGames: [],
        offers: [],
      },
    });
  }
}

/** A server that keeps every socket that was opened to it. */
export class FakeServer {
  readonly sockets: FakeSocket[] = [];

  readonly open: OpenSocket = () => {
    const socket = new FakeSocket();
    this.sockets.push(socket);
    return socket;
  };

  /** The newest socket. */
  get socket(): FakeSocket {
    return this.sockets.at(-1)!;
  }
}
