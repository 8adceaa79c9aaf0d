import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

// Where `npm run dev` finds a running `astragal dev`.
const server = process.env['ASTRAGAL_SERVER'] ?? 'http://127.0.0.1:8080';
const proxy = { '/v1': { target: server, ws: true } };

/** Lays a packed twin beside each built file, so that the gateway packs nothing while it serves. */
function packed(): Plugin {
  const BYTES_MIN = 600;
  return {
    name: 'packed',
    apply: 'build',
    async writeBundle({ dir }) {
      const files = await readdir(dir!, { recursive: true });
      for (const file of files.filter((name) => /\.(html|js|css|svg)$/.test(name))) {
        const path = join(dir!, file);
        const plain = await readFile(path);
        if (plain.length >= BYTES_MIN) {
          const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
          await writeFile(`${path}.br`, await promisify(brotliCompress)(plain, { params }));
          await writeFile(`${path}.gz`, await promisify(gzip)(plain, { level: 9 }));
        }
      }
    },
  };
}

export default defineConfig({
  plugins: [svelte(), packed()],
  build: { modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  server: { proxy },
  preview: { proxy },
});
