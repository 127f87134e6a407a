// The module boundaries: which folder may import from which. The list reads from the bottom up.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const SRC = import.meta.dirname;

/** What each folder may import besides itself. `api` and `ui` know nothing of the features built on them. */
const allowed: Record<string, readonly string[]> = {
  api: [],
  // What follows from the server's rules, for the programs of the page and of the boards alike.
  rules: ['api'],
  ui: [],
  i18n: ['api'],
  shop: ['api', 'ui', 'i18n'],
  auth: ['api', 'ui', 'i18n', 'shop'],
  preferences: ['api'],
  views: ['api', 'ui', 'i18n', 'auth'],
  account: ['api', 'ui', 'i18n', 'shop', 'auth'],
  about: ['api', 'ui', 'i18n', 'shop', 'auth'],
  'repair-order': ['api', 'rules', 'ui', 'i18n', 'shop', 'auth'],
  offline: ['api', 'ui', 'i18n', 'shop', 'auth'],
  'tech-story': ['api', 'rules', 'ui', 'i18n', 'shop', 'auth', 'repair-order', 'offline'],
  dashboard: [
    'api',
    'rules',
    'ui',
    'i18n',
    'shop',
    'auth',
    'preferences',
    'views',
    'repair-order',
    'tech-story',
  ],
  'my-customers': ['api', 'ui', 'i18n', 'shop', 'auth', 'preferences', 'repair-order'],
  'stage-times': ['api', 'ui', 'i18n', 'shop', 'auth', 'repair-order'],
  'page-header': ['api', 'ui', 'i18n', 'shop', 'auth', 'repair-order'],
  portal: [
    'api',
    'rules',
    'ui',
    'i18n',
    'shop',
    'auth',
    'repair-order',
    'tech-story',
    'dashboard',
    'offline',
  ],
  'service-worker': ['api', 'rules', 'i18n', 'offline'],
  users: ['api', 'ui', 'i18n', 'shop', 'auth', 'repair-order'],
  workload: ['api', 'rules', 'ui', 'i18n', 'shop', 'auth', 'repair-order'],
  organisation: ['api', 'ui', 'i18n', 'auth', 'repair-order'],
  audit: ['api', 'ui', 'i18n', 'shop', 'auth'],
  'board-management': ['api', 'ui', 'i18n', 'shop', 'auth', 'repair-order'],
  // A separate program: it imports only the API's types, the rules and the reader's locale from the rest.
  'board-display': ['api', 'i18n', 'rules'],
  'test-page': ['api', 'ui', 'i18n', 'auth'],
  palette: [
    'api',
    'rules',
    'ui',
    'i18n',
    'shop',
    'auth',
    'repair-order',
    'dashboard',
    'page-header',
    'views',
  ],
};

/** Knows neither the server nor the page: every folder may import it. */
const ALLOWED_EVERYWHERE = ['api/listeners.ts'];

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));

function importsOf(file: string): string[] {
  const text = readFileSync(join(SRC, file), 'utf8');
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  return [...found].map(([, path]) => relative(SRC, resolve(SRC, dirname(file), path ?? '')));
}

const folderOf = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '') : '');

test('imports between folders run one way', () => {
  const wrong = files
    .filter((file) => folderOf(file) !== '')
    .flatMap((file) =>
      importsOf(file)
        .filter(
          (path) =>
            !ALLOWED_EVERYWHERE.includes(path) &&
            folderOf(path) !== folderOf(file) &&
            !allowed[folderOf(file)]?.includes(folderOf(path)),
        )
        .map((path) => `${file} imports ${path}`),
    );
  expect(wrong).toEqual([]);
});

test('every folder is in the table of allowed imports', () => {
  expect([...new Set(files.map(folderOf))].filter((folder) => folder !== '').toSorted()).toEqual(
    Object.keys(allowed).toSorted(),
  );
});

/** Constants, and rules that import nothing else, so that they add next to nothing to the board's size. */
const SHARED_WITH_BOARDS = [
  'api/server-timing.ts',
  'api/rules.ts',
  'i18n/locale.ts',
  'rules/dueness.ts',
  'rules/name-case.ts',
  'rules/urgency.ts',
];

test('the board display imports nothing but types, shared constants and rules from the desk', () => {
  const wrong = files
    .filter((file) => folderOf(file) === 'board-display')
    .flatMap((file) =>
      [...readFileSync(join(SRC, file), 'utf8').matchAll(/^import (?!type )[^;]*from '(\.\.[^']+)'/gm)]
        .filter(([, path]) => !SHARED_WITH_BOARDS.includes(path?.slice('../'.length) ?? ''))
        .map(([, path]) => `${file} imports ${path}`),
    );
  expect(wrong).toEqual([]);
  const others = SHARED_WITH_BOARDS.flatMap((file) =>
    [
      ...readFileSync(join(SRC, file), 'utf8').matchAll(/^import (?!type )[^;]*from '\.\.\/([^']+)'/gm),
    ].flatMap(([, path = '']) => (SHARED_WITH_BOARDS.includes(path) ? [] : `${file} imports ${path}`)),
  );
  expect(others).toEqual([]);
});

test.each([
  ['fetch(', 'api/http.ts', /(?<![\w.])fetch\(/],
  ['io(', 'api/socket-connection.ts', /(?<![\w.])io\(/],
])('only one file of the page calls %s', (_, home, call) => {
  const callers = files.filter(
    (file) =>
      // The service worker and the boards are programs of their own.
      !['service-worker', 'board-display'].includes(folderOf(file)) &&
      !/\.(test|fixture)\.tsx?$/.test(file) &&
      call.test(readFileSync(join(SRC, file), 'utf8')),
  );
  expect(callers).toEqual([home]);
});
