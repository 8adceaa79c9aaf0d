// A way to the server that can be cut: what a phone does in a tunnel, without the phone.

import { createServer, connect, type Server, type Socket } from 'node:net';

/** Carries connections to a port, until it is told otherwise. */
export class Proxy {
  readonly #server: Server;
  readonly #pairs = new Set<[Socket, Socket]>();
  #isCut = false;
  #isDeaf = false;

  private constructor(
    readonly port: number,
    server: Server,
  ) {
    this.#server = server;
  }

  static async to(port: number): Promise<Proxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (typeof address !== 'object' || !address) {
      throw new Error('the system gave no port');
    }
    const proxy = new Proxy(address.port, server);
    server.on('connection', (client) => proxy.#carry(client, port));
    return proxy;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What the server says no longer arrives, while what is said to it does. */
  deafen(): void {
    this.#isDeaf = true;
  }

  /** Every connection breaks, and no other comes about. */
  cut(): void {
    this.#isCut = true;
    for (const [client, server] of this.#pairs) {
      client.destroy();
      server.destroy();
    }
  }

  /** Carries again. */
  mend(): void {
    this.#isCut = this.#isDeaf = false;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #carry(client: Socket, port: number): void {
    if (this.#isCut) {
      client.destroy();
      return;
    }
    const server = connect(port, '127.0.0.1');
    const pair: [Socket, Socket] = [client, server];
    this.#pairs.add(pair);
    client.on('data', (bytes) => server.write(bytes));
    server.on('data', (bytes) => this.#isDeaf || client.write(bytes));
    for (const end of pair) {
      end.setNoDelay(true);
      // A broken connection is what this is for.
      end.on('error', () => undefined);
      end.on('close', () => {
        this.#pairs.delete(pair);
        pair.forEach((other) => other.destroy());
      });
    }
  }
}
