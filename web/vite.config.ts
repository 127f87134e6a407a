import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// In development the page comes from Vite and everything else from a running `dispatch serve`.
const server = process.env.DISPATCH_SERVER ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react(), tailwindcss()],
  server: {
    proxy: {
      '/api': server,
      '/ws': { target: server, ws: true },
    },
  },
  build: {
    // light-dark() is written once per colour and left as it is.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Fonts stay files of their own: a strict Content-Security-Policy refuses data: URLs.
    assetsInlineLimit: 0,
  },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test-setup.ts'],
    restoreMocks: true,
  },
});
