// A real `astragal dev` on a port and a data directory of its own, and a real Chromium in front of it.

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const TARGET = join(import.meta.dirname, '../../../target');

/** The program under test. */
export function program(): string {
  const candidates = [process.env['ASTRAGAL_BINARY'], join(TARGET, 'debug/astragal'), join(TARGET, 'release/astragal')];
  const found = candidates.find((path) => path && existsSync(path));
  if (!found) {
    throw new Error('there is no astragal program; run `cargo build` first, or set ASTRAGAL_BINARY');
  }
  return found;
}

/** Ports below those that the system gives to whoever connects anywhere. One of its own might be gone when the program
 *  comes back to it. */
const PORTS = { first: 10_240, count: 22_528 };
const TRIES_MAX = 100;

async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (isFree) {
      await new Promise((resolve) => server.close(resolve));
      return port;
    }
  }
  throw new Error('no port is free');
}

/** A server that can be stopped and started again over the same data. */
export class House {
  #process: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    readonly data: string,
  ) {}

  static async open(): Promise<House> {
    const house = new House(await freePort(), await mkdtemp(join(tmpdir(), 'astragal-web-')));
    await house.start();
    return house;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Resolves when it listens, which it says on its standard output. */
  async start(): Promise<void> {
    const child = spawn(program(), ['dev', '--listen', `127.0.0.1:${this.port}`, '--data', this.data], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    let said = '';
    await new Promise<void>((resolve, reject) => {
      const hear = (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('listens on')) {
          resolve();
        }
      };
      child.stdout?.on('data', hear);
      child.stderr?.on('data', hear);
      child.once('exit', (code) => reject(new Error(`astragal ended with ${code}: ${said}`)));
    });
  }

  /** Stops it, gracefully or not. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child && child.exitCode === null) {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill(signal);
      await gone;
    }
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.data, { recursive: true, force: true });
  }
}

/** Debian's Chromium, without the services that it would call home for. */
export function openBrowser(...more: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  });
}
