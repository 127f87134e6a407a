// Builds the wall boards' page beside the desk's, as a program of its own at /board.html: it runs in the browsers that
// TVs have, which are years old and stay so.
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { build } from 'vite';

/** What webOS 6 and newer, Fire TV and any Raspberry Pi run. */
export const BOARD_TARGET = 'chrome79';

export const board: Plugin = {
  name: 'board',
  apply: 'build',
  writeBundle: {
    // Before the files are compressed.
    order: 'pre',
    sequential: true,
    async handler({ dir = 'dist' }) {
      await build({
        configFile: false,
        publicDir: false,
        logLevel: 'warn',
        root: import.meta.dirname,
        oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
        build: {
          outDir: dir,
          emptyOutDir: false,
          target: BOARD_TARGET,
          cssTarget: BOARD_TARGET,
          // One script: nothing that a TV would have to fetch later.
          modulePreload: false,
          assetsInlineLimit: 0,
          rolldownOptions: {
            input: join(import.meta.dirname, 'board.html'),
            output: {
              entryFileNames: 'assets/board-[hash].js',
              assetFileNames: 'assets/board-[hash][extname]',
              codeSplitting: false,
            },
          },
        },
      });
    },
  },
};
