// What the page weighs, and that it fetches nothing from elsewhere.

import { readdir, stat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const DIST = process.env['ASTRAGAL_DIST'] ?? join(import.meta.dirname, '../../dist');
const SCRIPT_KB_MAX = 120;

const print = (line: string) => process.stdout.write(`  ${line}\n`);

test('the scripts of a first visit are small, and the rest comes when it is wanted', async () => {
  const page = await readFile(join(DIST, 'index.html'), 'utf8');
  const files = (await readdir(join(DIST, 'assets'))).filter((name) => /\.(js|css)$/.test(name));
  let scripts = 0;
  for (const name of files) {
    const path = join(DIST, 'assets', name);
    // What is very small has no packed twin.
    const [plain, packed, brotli] = await Promise.all([path, `${path}.gz`, `${path}.br`].map((one) => stat(one).catch(() => stat(path))));
    if (!plain || !packed || !brotli) {
      throw new Error(`${name} is gone`);
    }
    // The page names what it begins with; other languages, boards and checks are fetched later.
    scripts += name.endsWith('.js') && page.includes(`/${name}`) ? packed.size : 0;
    print(`${name}: ${(plain.size / 1024).toFixed(1)} KB, gzip ${(packed.size / 1024).toFixed(1)}, brotli ${(brotli.size / 1024).toFixed(1)}`);
  }
  print(`scripts of a first visit, gzip: ${(scripts / 1024).toFixed(1)} KB of ${SCRIPT_KB_MAX}`);
  expect(scripts).toBeGreaterThan(0);
  expect(scripts / 1024).toBeLessThan(SCRIPT_KB_MAX);
  expect(files.filter((name) => /^(tr|ru)-.*\.js$/.test(name) && !page.includes(`/${name}`))).toHaveLength(2);
  // Nothing is fetched from anywhere else.
  for (const name of [...files.map((file) => join('assets', file)), 'index.html']) {
    const text = (await readFile(join(DIST, name), 'utf8')).replaceAll(/http:\/\/www\.w3\.org\/\S*|https:\/\/svelte\.dev\/\S*/g, '');
    expect(text).not.toMatch(/(href|src|url\(|import)\W{0,3}https?:/);
  }
});
