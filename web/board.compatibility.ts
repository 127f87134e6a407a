// Checks whether the boards' page runs in Chromium 79. No such browser is available for a test, so the built files
// are analysed: syntax by a parser for that language version; features of CSS, JavaScript and the browser by MDN's
// compatibility data. The page's inline script is analysed as well. Also checks the page's size.
import { gzipSync } from 'node:zlib';
import type { CompatStatement, Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data';
import bcd from '@mdn/browser-compat-data/forLegacyNode';
import { parse } from 'acorn';
import { full } from 'acorn-walk';
import { type CssNode, parse as parseCss, walk } from 'css-tree';
import type { Plugin } from 'vite';

/** Of early 2020: LG's TVs of 2021, Fire TV, any Raspberry Pi. */
export const CHROMIUM = 79;
/** The maximum size of all files that every board fetches, compressed (bytes). */
const MAX_BYTES = 90_000;
/** Of a font that is fetched where a name needs its letters (bytes). */
const MAX_FONT_BYTES = 90_000;
/** A font of other letters than those of most names, as its package names the file. */
const SCRIPT_FONT = /\binter-(cyrillic|greek|latin-ext|vietnamese)-wght.*\.woff2$/;
/** What that Chromium understands without `?.` and `??`, which came with 80. */
const ECMASCRIPT = 2019;

/** Newer features that the code detects before use. */
const FEATURE_DETECTED = new Set([
  // engine.io-client looks for it, and is told to use WebSocket and polling.
  'WebTransport',
]);

export const checkTvCompatibility: Plugin = {
  name: 'fit-for-tvs',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const files = Object.values(bundle).map((file) => ({
        name: file.fileName,
        isScriptFont: file.type === 'asset' && file.originalFileNames.some((name) => SCRIPT_FONT.test(name)),
        content: file.type === 'chunk' ? file.code : file.source,
      }));
      const wrong = files.flatMap(({ name, content }) => {
        const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
        const found = name.endsWith('.js')
          ? findNewInScript(text)
          : name.endsWith('.css')
            ? findNewInStyle(text)
            : name.endsWith('.html')
              ? findNewInPage(text)
              : [];
        return [...new Set(found)].map((what) => `${name}: ${what}`);
      });
      for (const { name, isScriptFont, content } of files) {
        if (isScriptFont && content.length > MAX_FONT_BYTES)
          wrong.push(`${name} is ${content.length} bytes, and may be ${MAX_FONT_BYTES}`);
      }
      const always = files.filter(({ isScriptFont }) => !isScriptFont);
      const bytes = always.reduce((sum, { name, content }) => sum + sizeOf(name, content), 0);
      if (bytes > MAX_BYTES) wrong.push(`the page is ${bytes} bytes compressed, and may be ${MAX_BYTES}`);
      if (wrong.length > 0) this.error(`Not fit for Chromium ${CHROMIUM}:\n${wrong.join('\n')}`);
      this.info(`fit for Chromium ${CHROMIUM}; ${bytes} of ${MAX_BYTES} bytes compressed`);
    },
  },
};

/** A woff2 is compressed as it is. */
function sizeOf(name: string, content: string | Uint8Array): number {
  return name.endsWith('.woff2') ? content.length : gzipSync(content, { level: 9 }).length;
}

/** In the page's inline scripts. */
export function findNewInPage(page: string): string[] {
  const scripts = page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g);
  return [...scripts].flatMap(([, code = '']) => findNewInScript(code));
}

export function findNewInScript(code: string): string[] {
  let program: ReturnType<typeof parse>;
  try {
    program = parse(code, { ecmaVersion: ECMASCRIPT, sourceType: 'module' });
  } catch (failure) {
    return [`syntax: ${failure instanceof Error ? failure.message : failure}`];
  }
  const found: string[] = [];
  full(program, (node) => {
    const of = staticUsed(node);
    if (of !== null) found.push(of);
    const name = nameUsed(node);
    if (name !== null && !FEATURE_DETECTED.has(name)) {
      if (newGlobals.has(name) && node.type === 'Identifier') found.push(name);
      if (newMembers.has(name) && node.type === 'MemberExpression') found.push(`.${name}`);
    }
  });
  return found;
}

function nameUsed(node: object): string | null {
  if ('property' in node && 'computed' in node && node.computed === false) {
    const { property } = node;
    return typeof property === 'object' && property !== null && 'name' in property
      ? String(property.name)
      : null;
  }
  return 'type' in node && node.type === 'Identifier' && 'name' in node ? String(node.name) : null;
}

/** `AbortSignal.timeout`, or null where what is used of the interface itself was there. */
function staticUsed(node: object): string | null {
  const name = nameUsed(node);
  if (name === null || !('object' in node)) return null;
  const { object } = node;
  if (typeof object !== 'object' || object === null || !('name' in object)) return null;
  const owner = String(object.name);
  const feature = bcd.api[owner]?.[`${name}_static`] ?? builtins?.[owner]?.[name];
  const compat = feature?.__compat;
  return compat === undefined || isThere(compat) ? null : `${owner}.${name}`;
}

/** Interfaces whose members a page like this uses. */
const interfaces = [
  'AbortController',
  'AbortSignal',
  'Blob',
  'CSSStyleDeclaration',
  'Crypto',
  'Document',
  'DocumentFragment',
  'Element',
  'Event',
  'EventTarget',
  'HTMLElement',
  'Navigator',
  'Node',
  'NodeList',
  'Performance',
  'Request',
  'Response',
  'Storage',
  'URL',
  'URLSearchParams',
  'Window',
] as const;

const builtins = bcd.javascript.builtins;
const newGlobals = new Set(
  [...featuresOf(builtins), ...featuresOf(bcd.api)]
    .filter(([, { __compat }]) => __compat !== undefined && !isThere(__compat))
    .map(([name]) => name),
);

/** Names of methods and properties that no object had then. */
const newMembers = (() => {
  const then = new Set<string>();
  const later = new Set<string>();
  const sort = (owner: Identifier | undefined, mayBeNew: boolean) => {
    for (const [name, { __compat }] of featuresOf(owner)) {
      if (__compat === undefined || name.includes('_') || name.startsWith('@@')) continue;
      if (isThere(__compat)) then.add(name);
      else if (mayBeNew) later.add(name);
    }
  };
  for (const [, owner] of featuresOf(builtins)) sort(owner, true);
  for (const [name, owner] of featuresOf(bcd.api))
    sort(
      owner,
      interfaces.some((one) => one === name),
    );
  return new Set([...later].filter((name) => !then.has(name)));
})();

export function findNewInStyle(style: string): string[] {
  const found: string[] = [];
  const ask = (what: string, feature: Identifier | undefined, mustBeKnown = false) => {
    const compat = feature?.__compat;
    if (compat === undefined ? mustBeKnown : !isThere(compat)) found.push(what);
  };
  const css = bcd.css;
  walk(parseCss(style, { positions: false }), function (node) {
    if (node.type === 'Atrule') ask(`@${node.name}`, css['at-rules']?.[node.name], true);
    if (node.type === 'Feature') ask(`(${node.name})`, css['at-rules']?.media?.[node.name]);
    // The text in place of a declaration.
    if (node.type === 'Rule' && node.block.children.some(({ type }) => type !== 'Declaration')) {
      found.push('nested rules');
    }
    if (node.type === 'PseudoClassSelector') ask(`:${node.name}`, css.selectors?.[node.name], true);
    if (node.type === 'Function') ask(`${node.name}()`, functions.get(node.name));
    if (node.type === 'Rule' && hasGapWithoutGrid(node)) found.push('gap without display: grid');
    if (node.type !== 'Declaration' || node.property.startsWith('-')) return;
    const property = css.properties?.[node.property];
    const isDescriptor = this.atrule?.name === 'font-face';
    if (!isDescriptor) ask(node.property, property, true);
    walk(node.value, (value) => {
      if (value.type === 'Identifier') ask(`${node.property}: ${value.name}`, property?.[value.name]);
    });
  });
  return found;
}

const gaps = ['gap', 'row-gap', 'column-gap'];

/** Between grid items gaps are older than between those of a flexbox. */
function hasGapWithoutGrid(rule: CssNode): boolean {
  let gap = false;
  let grid = false;
  walk(rule, (node) => {
    if (node.type !== 'Declaration') return;
    if (gaps.includes(node.property)) gap = true;
    walk(node, (value) => {
      if (node.property === 'display' && value.type === 'Identifier' && value.name === 'grid') grid = true;
    });
  });
  return gap && !grid;
}

/** The functions of every type of value. */
const functions = (() => {
  const declared = new Map<string, Identifier>();
  const collect = (owner: Identifier) => {
    for (const [name, feature] of featuresOf(owner)) {
      if (!declared.has(name)) declared.set(name, feature);
      collect(feature);
    }
  };
  if (bcd.css.types !== undefined) collect(bcd.css.types);
  return declared;
})();

function featuresOf(owner: Identifier | undefined): [string, Identifier][] {
  const all: [string, Identifier | CompatStatement | undefined][] = Object.entries(owner ?? {});
  return all.filter(
    (entry): entry is [string, Identifier] => entry[0] !== '__compat' && entry[1] !== undefined,
  );
}

function isThere({ support }: CompatStatement): boolean {
  const chromeSupport = support.chrome;
  const statements: SimpleSupportStatement[] =
    chromeSupport === undefined ? [] : Array.isArray(chromeSupport) ? chromeSupport : [chromeSupport];
  return statements.some(
    ({ version_added, version_removed, flags, prefix, alternative_name }) =>
      typeof version_added === 'string' &&
      Number.parseInt(version_added.replace('≤', ''), 10) <= CHROMIUM &&
      version_removed === undefined &&
      flags === undefined &&
      prefix === undefined &&
      alternative_name === undefined,
  );
}
