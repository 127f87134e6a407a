// Builds the service worker beside the page, as one classic script at /service-worker.js. The build writes the names
// of the files that a technician's page needs offline into it, so that each build has its own worker.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { build } from 'vite';
import { PAGE } from './chunks.config.ts';

/** Lazily loaded modules that must be available offline. */
const OFFLINE = [
  /\/src\/portal\//,
  /\/src\/offline\//,
  /\/src\/tech-story\//,
  /\/src\/api\/socket-connection\.ts$/,
  // The menus and banners of its bar, and the palette.
  /\/src\/page-header\/((preferences|screen)-items|server-banners)\.tsx$/,
  /\/src\/palette\/palette\.tsx$/,
  // The tray of changes in the portal's header.
  /\/src\/dashboard\/recent-changes-list\.tsx$/,
  // The texts in each language: each part of the page waits for its own.
  /\/src\/i18n\/(\w+\.)?(en|de|es)\.ts$/,
];
/** Of the fonts: those of the languages the page speaks. */
const FONT = /-latin-(?!ext).*\.woff2$/;
const PUBLIC = ['favicon.svg', 'manifest.webmanifest'];

export const serviceWorker: Plugin = {
  name: 'service-worker',
  apply: 'build',
  writeBundle: {
    order: 'post',
    sequential: true,
    async handler({ dir = 'dist' }, bundle) {
      const { entry, files } = shellOf(bundle);
      const page = readFileSync(join(dir, 'index.html'));
      const shell = {
        version: createHash('sha256').update(page).update(files.join()).digest('hex').slice(0, 16),
        entry,
        files: [...files, ...PUBLIC.filter((file) => existsSync(join(dir, file)))].map((file) => `/${file}`),
      };
      await build({
        configFile: false,
        publicDir: false,
        logLevel: 'warn',
        define: { SHELL: JSON.stringify(shell) },
        build: {
          outDir: dir,
          emptyOutDir: false,
          copyPublicDir: false,
          lib: {
            entry: join(import.meta.dirname, 'src/service-worker/service-worker.ts'),
            formats: ['iife'],
            name: 'serviceWorker',
            fileName: () => 'service-worker.js',
          },
        },
      });
    },
  },
};

/** Files of the bundle, as paths from the page's root. */
function shellOf(bundle: Rolldown.OutputBundle): { entry: string; files: string[] } {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const entry = chunks.find(({ name }) => name === PAGE);
  if (entry === undefined) throw new Error('The page has no script.');
  const needed = new Set<string>();
  const need = (name: string, lazyToo: boolean) => {
    if (needed.has(name)) return;
    needed.add(name);
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk') return;
    for (const css of chunk.viteMetadata?.importedCss ?? []) needed.add(css);
    for (const other of chunk.imports) need(other, false);
    if (lazyToo) for (const other of chunk.dynamicImports) need(other, false);
  };
  need(entry.fileName, false);
  for (const { facadeModuleId, fileName } of chunks) {
    if (facadeModuleId !== null && OFFLINE.some((folder) => folder.test(facadeModuleId))) {
      needed.delete(fileName);
      need(fileName, true);
    }
  }
  for (const name of Object.keys(bundle)) {
    if (FONT.test(name)) needed.add(name);
  }
  return { entry: entry.fileName, files: [...needed].toSorted() };
}
