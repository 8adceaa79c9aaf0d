import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// Where `npm run dev` finds a running `astragal dev`.
const server = process.env['ASTRAGAL_SERVER'] ?? 'http://127.0.0.1:8080';

const proxy = { '/v1': { target: server, ws: true } };

export default defineConfig({
  plugins: [svelte()],
  build: { modulePreload: { polyfill: false }, assetsInlineLimit: 0, reportCompressedSize: true },
  server: { proxy },
  preview: { proxy },
});
