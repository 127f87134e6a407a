// Three scripts instead of a hundred: a small one that asks the server for what a page waits for, what the page needs
// from its start (sign-in and shell), and what the desk adds to it. Together they compress better than in pieces. What is
// imported dynamically stays apart.
import type { Rolldown } from 'vite';

export const PAGE = 'page';
export const DESK = '/src/dashboard/dashboard.tsx';

/** They name all of a library's modules, and say nothing about which of them are used. */
const INDEX = /\/node_modules\/(lucide-react|radix-ui)\//;

/** Whether the desk imports the module statically, directly or not. */
function isOfDesk(module: string, graph: Rolldown.ChunkingContext): boolean {
  const found = new Set([module]);
  for (const one of found) {
    if (one.endsWith(DESK)) return true;
    if (INDEX.test(one) && one !== module) continue;
    for (const importer of graph.getModuleInfo(one)?.importers ?? []) found.add(importer);
  }
  return false;
}

export const threeScripts: Rolldown.CodeSplittingOptions = {
  groups: [
    { name: 'start', test: /\/src\/start\.ts$/ },
    { name: PAGE, tags: ['$initial'] },
    { name: (module, graph) => (isOfDesk(module, graph) ? 'desk' : null) },
  ],
};
