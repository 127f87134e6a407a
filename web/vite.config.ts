import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { board } from './board.config.ts';
import { DESK, PAGE, threeScripts } from './chunks.config.ts';
import { serviceWorker } from './service-worker.config.ts';

// In development the page comes from Vite and everything else from a running `dispatch serve`.
const server = process.env.DISPATCH_SERVER ?? 'http://127.0.0.1:8080';

/** The desk's code is preloaded beside the rest: most visitors are signed in. */
const deskBesideTheRest: Plugin = {
  name: 'desk-beside-the-rest',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) => {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const desk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(DESK));
      const page = chunks.find(({ name }) => name === PAGE);
      return [desk?.fileName, ...(desk?.imports ?? [])]
        .filter((file) => file !== undefined && file !== page?.fileName)
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
          injectTo: 'head' as const,
        }));
    },
  },
};

/** Beside each script, style and text its compressed forms, smaller than the server could make them for each request. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  writeBundle: ({ dir = 'dist' }) => {
    for (const folder of [dir, join(dir, 'assets')]) {
      for (const file of readdirSync(folder).filter((name) => COMPRESSED.test(name))) {
        const path = join(folder, file);
        const text = readFileSync(path);
        writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
        writeFileSync(`${path}.br`, brotliCompressSync(text));
      }
    }
  },
};
const COMPRESSED = /\.(js|css|txt)$/;

/** By its name react-router is its build for development, with warnings. The one for production has no name, only a path. */
const routerWithoutWarnings: Plugin = {
  name: 'router-without-warnings',
  apply: 'build',
  config: () => ({
    resolve: {
      alias: [
        {
          find: /^react-router$/,
          replacement: join(import.meta.dirname, 'node_modules/react-router/dist/production/index.mjs'),
        },
      ],
    },
  }),
};

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    routerWithoutWarnings,
    deskBesideTheRest,
    board,
    compressed,
    serviceWorker,
  ],
  server: {
    proxy: {
      '/api': server,
      '/inviteUser': server,
      '/ws': { target: server, ws: true },
    },
  },
  build: {
    // light-dark() is written once per colour and left as it is.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Fonts stay files of their own: a strict Content-Security-Policy refuses data: URLs.
    assetsInlineLimit: 0,
    // Each browser that is supported knows it.
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: threeScripts } },
  },
  test: {
    environment: 'jsdom',
    include: ['*.test.ts', 'src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test-setup.ts'],
    testTimeout: 30_000,
    // Of two cores one would stand still.
    maxWorkers: '100%',
    restoreMocks: true,
    // Output after a file's last test would fail a run in which every test passed.
    disableConsoleIntercept: true,
  },
});
