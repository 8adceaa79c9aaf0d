// What the page weighs, and that it fetches nothing from elsewhere.

import { readdir, stat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const DIST = join(import.meta.dirname, '../../dist');
const SCRIPT_KB_MAX = 120;

const print = (line: string) => process.stdout.write(`  ${line}\n`);

test('the scripts are small', async () => {
  const files = (await readdir(join(DIST, 'assets'))).filter((name) => /\.(js|css)$/.test(name));
  let scripts = 0;
  for (const name of files) {
    const path = join(DIST, 'assets', name);
    const [plain, packed] = await Promise.all([stat(path), stat(`${path}.gz`)]);
    const brotli = await stat(`${path}.br`);
    scripts += name.endsWith('.js') ? packed.size : 0;
    print(`${name}: ${(plain.size / 1024).toFixed(1)} KB, gzip ${(packed.size / 1024).toFixed(1)}, brotli ${(brotli.size / 1024).toFixed(1)}`);
  }
  print(`all scripts, gzip: ${(scripts / 1024).toFixed(1)} KB of ${SCRIPT_KB_MAX}`);
  expect(scripts / 1024).toBeLessThan(SCRIPT_KB_MAX);
  // Nothing is fetched from anywhere else.
  for (const name of [...files.map((file) => join('assets', file)), 'index.html']) {
    const text = (await readFile(join(DIST, name), 'utf8')).replaceAll(/http:\/\/www\.w3\.org\/\S*|https:\/\/svelte\.dev\/\S*/g, '');
    expect(text).not.toMatch(/(href|src|url\(|import)\W{0,3}https?:/);
  }
});
