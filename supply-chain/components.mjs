// What the product is made of, from its lock files: crates, npm packages, and the parts that no package manager knows of.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The platforms that the server is built for. */
const TARGETS = [
  'x86_64-unknown-linux-gnu',
  'x86_64-unknown-linux-musl',
  'aarch64-unknown-linux-gnu',
  'aarch64-unknown-linux-musl',
];

/**
 * @typedef {object} Component
 * @property {string} name
 * @property {string} version
 * @property {string} licence An SPDX expression.
 * @property {string} [folder] Where its licence's text is.
 * @property {readonly unknown[]} [authors]
 * @property {readonly { licence: string, text: string }[]} [texts] Its licence's texts, where they are in no folder.
 */

export const byName = (one, other) =>
  one.name < other.name ? -1 : one.name > other.name ? 1 : one.version < other.version ? -1 : 1;

export const nameAndVersion = ({ name, version }) => `${name} ${version}`;

function cargo(...args) {
  return execFileSync('cargo', [...args, '--locked'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** The names of the crates of a server that is built with these flags, such as `--no-default-features`. */
export function crateNames(...flags) {
  const tree = cargo(
    'tree',
    ...[
      '--package',
      'dispatch-server',
      '--edges',
      'normal,build',
      '--prefix',
      'none',
      '--format',
      '{p}',
      '--offline',
    ],
    ...flags,
  );
  return new Set(Array.from(tree.matchAll(/^(\S+) v/gm), ([, name]) => name));
}

/** What cargo knows of each crate: 'name version' -> its manifest. */
export function crateManifests() {
  const { packages } = JSON.parse(cargo('metadata', '--format-version', '1'));
  return new Map(packages.map((one) => [nameAndVersion(one), one]));
}

/** `MIT/Apache-2.0` is how it was written once. */
const toSpdx = (licence) => licence.replaceAll(/\s*\/\s*/g, ' OR ');

/** The crates of others that the server's binary is made of, whatever its features. @returns {Component[]} */
export function serverCrates() {
  const targets = TARGETS.flatMap((target) => ['--target', target]);
  const tree = cargo(
    'tree',
    ...['--package', 'dispatch-server', '--edges', 'normal', '--prefix', 'none'],
    ...['--format', '{p}'],
    ...targets,
  );
  const ids = Array.from(tree.matchAll(/^(\S+) v(\S+)/gm), ([, name, version]) => `${name} ${version}`);
  const manifests = crateManifests();
  return [...new Set(ids)]
    .map((id) => manifests.get(id))
    .filter(({ source }) => source !== null)
    .map(({ name, version, license, license_file, authors, manifest_path }) => ({
      name,
      version,
      licence: license === null ? `see ${license_file}` : toSpdx(license),
      folder: dirname(manifest_path),
      authors,
    }))
    .toSorted(byName);
}

/** All packages of Cargo.lock, ours among them: name, version, source, checksum, dependencies. */
export function lockedCrates() {
  const lock = readFileSync(join(ROOT, 'Cargo.lock'), 'utf8');
  return lock
    .split('[[package]]\n')
    .slice(1)
    .map((entry) => {
      const field = (name) => entry.match(new RegExp(`^${name} = "(.*)"$`, 'm'))?.[1];
      const [, list = ''] = entry.match(/^dependencies = \[\n([\s\S]*?)^\]/m) ?? [];
      return {
        name: field('name'),
        version: field('version'),
        source: field('source'),
        checksum: field('checksum'),
        dependencies: [...list.matchAll(/^ "(.*)",$/gm)].map(([, text]) => text),
      };
    });
}

/** All packages of web/package-lock.json but ours: their folder, and what the lock says. */
export function lockedPackages() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'web/package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, entry]) => ({ ...entry, path, name: entry.name ?? path.split('node_modules/').at(-1) }));
}

/** The packages that the pages are made of. @returns {Component[]} */
export function pagePackages() {
  return lockedPackages()
    .filter(({ dev, devOptional }) => !dev && !devOptional)
    .map((entry) => {
      const folder = join(ROOT, 'web', entry.path);
      if (!existsSync(folder)) throw new Error(`${entry.path} is not installed: run npm ci in web/`);
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      if (manifest.version !== entry.version) {
        throw new Error(`${entry.path} is installed as ${manifest.version}: run npm ci in web/`);
      }
      const { name, version } = entry;
      return { name, version, licence: licenceOf(manifest), folder, authors: [manifest.author].flat() };
    })
    .toSorted(byName);
}

/** Old packages list their licences, each as an object; one that names none has an empty text. */
function licenceOf({ license, licenses = [] }) {
  const names = [license ?? licenses].flat().map((one) => (typeof one === 'string' ? one : one.type));
  return names.join(' OR ');
}
