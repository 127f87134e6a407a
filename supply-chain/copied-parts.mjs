// Parts of the product that no lock file names: what came with a compiler, a crate or a tool, or by hand.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crateManifests, lockedPackages, ROOT } from './components.mjs';

/** In place of a licence, at the head of each of its files. */
const SQLITE = `The author disclaims copyright to this source code.  In place of
a legal notice, here is a blessing:

   May you do good and not evil.
   May you find forgiveness for yourself and forgive others.
   May you share freely, never taking more than you give.`;

/** The notice of its archive. */
const SWAGGER_UI = 'swagger-ui\nCopyright 2020-2021 SmartBear Software Inc.';

/** Under MIT, of no version in particular: the compiler's own, and the list of common passwords. */
const UNVERSIONED = {
  // Of a static binary.
  musl: 'Copyright © 2005-2020 Rich Felker, et al.',
  'rust-std': 'Copyright (c) The Rust Project Contributors',
  zxcvbn: 'Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc.',
};

/** @returns {import('./components.mjs').Component[]} */
export function copiedParts() {
  const manifests = [...crateManifests().values()];
  const folderOf = (crate) => dirname(manifests.find(({ name }) => name === crate).manifest_path);
  const header = readFileSync(join(folderOf('libsqlite3-sys'), 'sqlite3/sqlite3.h'), 'utf8');
  const [archive] = readdirSync(join(folderOf('utoipa-swagger-ui-vendored'), 'res'));
  const tailwind = lockedPackages().find(({ path }) => path === 'node_modules/tailwindcss');
  return [
    {
      name: 'SQLite',
      version: header.match(/#define SQLITE_VERSION +"(.*)"/)[1],
      licence: 'blessing',
      texts: [{ licence: 'blessing', text: SQLITE }],
    },
    {
      name: 'Swagger-UI',
      version: archive.match(/^v(.*)\.zip$/)[1],
      licence: 'Apache-2.0',
      texts: [
        { licence: 'Apache-2.0', text: readFileSync(join(ROOT, 'LICENSE-APACHE'), 'utf8') },
        { licence: 'NOTICE', text: SWAGGER_UI },
      ],
    },
    {
      name: 'tailwindcss',
      version: tailwind.version,
      licence: 'MIT',
      folder: join(ROOT, 'web', tailwind.path),
      authors: [],
    },
    ...Object.entries(UNVERSIONED).map(([name, copyright]) => ({
      name,
      version: '-',
      licence: 'MIT',
      texts: [{ licence: 'MIT', text: mitOf(copyright) }],
    })),
  ];
}

/** Our own licence's text, for somebody else's copyright. */
export function mitOf(copyright) {
  const text = readFileSync(join(ROOT, 'LICENSE-MIT'), 'utf8');
  return text.replace(/^Copyright .*$/m, copyright);
}
