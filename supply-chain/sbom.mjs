// Bills of materials in CycloneDX's JSON, of everything that the lock files name: the crates here, the packages by npm.
//
//   node supply-chain/sbom.mjs FOLDER  writes crates.cdx.json and npm.cdx.json, and fails where one lacks an entry
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  crateManifests,
  lockedCrates,
  lockedPackages,
  nameAndVersion,
  ROOT,
  serverCrates,
} from './components.mjs';

const SERVER = 'dispatch-server';
/** Our own crates that the server is made of. */
const OURS = [
  'dispatch-actors',
  'dispatch-hosted',
  'dispatch-intake',
  'dispatch-migrations',
  'actix-socketio',
];

const purl = ({ name, version }) => `pkg:cargo/${name}@${version}`;

function crates() {
  const locked = lockedCrates();
  const manifests = crateManifests();
  const inServer = new Set([...serverCrates().map(nameAndVersion)]);
  const isRequired = (one) => inServer.has(nameAndVersion(one)) || OURS.includes(one.name);
  const server = locked.find(({ name }) => name === SERVER);
  const components = locked
    .filter((one) => one !== server)
    .map((one) => crateComponent(one, manifests.get(nameAndVersion(one)), isRequired(one)));
  return {
    ...document(crateComponent(server, manifests.get(nameAndVersion(server)), true)),
    components,
    dependencies: locked.map((one) => ({ ref: purl(one), dependsOn: one.dependencies.map(refOf(locked)) })),
  };
}

/** `scope`: what is not in the server's binary is for tests and tools, or for a feature that is not used. */
function crateComponent(locked, manifest, isRequired) {
  const { name, version, checksum, source } = locked;
  const licence = manifest?.license?.replaceAll(/\s*\/\s*/g, ' OR ');
  return {
    type: name === SERVER ? 'application' : 'library',
    'bom-ref': purl(locked),
    name,
    version,
    scope: isRequired ? 'required' : 'excluded',
    ...(checksum !== undefined && { hashes: [{ alg: 'SHA-256', content: checksum }] }),
    ...(licence !== undefined && { licenses: [{ expression: licence }] }),
    ...(source !== undefined && { purl: purl(locked) }),
  };
}

/** A lock file names a dependency by its version only where there are several. */
const refOf = (locked) => (text) => {
  const [name, version] = text.split(' ');
  return purl(locked.find((one) => one.name === name && (version === undefined || one.version === version)));
};

function document(component) {
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: new Date().toISOString(),
      tools: [{ name: 'supply-chain/sbom.mjs', version: component.version }],
      component,
    },
  };
}

function npmText() {
  return execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: join(ROOT, 'web'),
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** The entries of a lock file that a bill of materials does not list. */
export function missing(bill, locked) {
  const listed = new Set([bill.metadata.component, ...bill.components].map(fullName));
  return locked.map(nameAndVersion).filter((one) => !listed.has(one));
}

const fullName = ({ group, name, version }) =>
  nameAndVersion({ name: group === undefined ? name : `${group}/${name}`, version });

function write(folder, file, text, locked) {
  const path = join(folder, file);
  writeFileSync(path, text);
  const bill = JSON.parse(readFileSync(path, 'utf8'));
  const lacking = missing(bill, locked);
  if (bill.bomFormat === 'CycloneDX' && lacking.length === 0) return;
  console.error(`${path} lacks ${lacking.length} entries of its lock file:\n  ${lacking.join('\n  ')}`);
  process.exitCode = 1;
}

if (process.argv[1] === import.meta.filename) {
  const [, , folder] = process.argv;
  if (folder === undefined) throw new Error('usage: node supply-chain/sbom.mjs FOLDER');
  const target = resolve(folder);
  mkdirSync(target, { recursive: true });
  write(target, 'crates.cdx.json', `${JSON.stringify(crates(), null, 2)}\n`, lockedCrates());
  write(target, 'npm.cdx.json', npmText(), lockedPackages());
}
