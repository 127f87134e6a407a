// Builds the wall boards' page, a separate program: it runs in TV browsers, which are years old and never updated. By
// itself (`vite build --config board.config.ts`) it writes nothing and reports whether the page is compatible; the
// desk's build emits it beside its own page, as /board.html.
import { join } from 'node:path';
import { build, type InlineConfig, type Plugin } from 'vite';
import { CHROMIUM, checkTvCompatibility } from './board.compatibility.ts';

const TARGET = `chrome${CHROMIUM}`;

/** Comments and indents are for whoever reads the source. */
const shorterPage: Plugin = {
  name: 'shorter-page',
  transformIndexHtml: {
    order: 'post',
    handler: (page) =>
      page
        .replace(/<!--.*?-->/gs, '')
        .replace(/\n\s+/g, '\n')
        .replace(/>\n</g, '><')
        .replace(/ \/>/g, '>'),
  },
};

const config: InlineConfig = {
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  root: import.meta.dirname,
  plugins: [shorterPage, checkTvCompatibility],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    write: false,
    target: TARGET,
    cssTarget: TARGET,
    // One script: nothing that a TV would have to fetch later.
    modulePreload: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: join(import.meta.dirname, 'board.html'),
      output: {
        entryFileNames: 'assets/board-[hash].js',
        assetFileNames: 'assets/board-[hash][extname]',
        codeSplitting: false,
      },
    },
  },
};

export default config;

export const board: Plugin = {
  name: 'board',
  apply: 'build',
  writeBundle: {
    // Before the files are compressed.
    order: 'pre',
    sequential: true,
    async handler({ dir = 'dist' }) {
      await build({ ...config, build: { ...config.build, outDir: dir, emptyOutDir: false, write: true } });
    },
  },
};
