import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [svelte()],
        test: { name: 'unit', include: ['client/tests/*.test.ts', 'src/**/*.test.ts'], environment: 'node', testTimeout: 60_000 },
      },
      {
        test: {
          name: 'browser',
          include: ['tests/browser/*.spec.ts'],
          fileParallelism: false,
          // The machine may be busy with other things: what is waited for may take its time.
          testTimeout: 300_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
      {
        test: { name: 'screenshots', include: ['tests/screenshots.ts'], testTimeout: 180_000 },
      },
      {
        test: { name: 'speed', include: ['tests/speed.ts'], testTimeout: 120_000, hookTimeout: 60_000 },
      },
    ],
  },
});
