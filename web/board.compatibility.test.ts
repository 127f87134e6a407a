import { describe, expect, test } from 'vitest';
import { findNewInPage, findNewInScript, findNewInStyle } from './board.compatibility.ts';

describe('reports what Chromium 79 cannot run', () => {
  test.each([
    ['a?.b', 'syntax'],
    ['a ?? b', 'syntax'],
    ['a ||= b', 'syntax'],
    ['class A { #b = 1 }', 'syntax'],
    ['[1].at(-1)', '.at'],
    ['"a".replaceAll("a", "b")', '.replaceAll'],
    ['structuredClone({})', 'structuredClone'],
    ['new WeakRef({})', 'WeakRef'],
    ['AbortSignal.timeout(1)', '.timeout'],
    ['document.body.replaceChildren()', '.replaceChildren'],
    ['crypto.randomUUID()', '.randomUUID'],
  ])('%s', (code, what) => {
    expect(findNewInScript(code).join()).toContain(what);
  });

  test.each([
    ['.a { display: flex; gap: 1rem }', 'gap without display: grid'],
    ['@layer a { .b { color: red } }', '@layer'],
    ['@container (min-width: 1px) { .b { color: red } }', '@container'],
    ['.a { inset: 0 }', 'inset'],
    ['.a { aspect-ratio: 1 }', 'aspect-ratio'],
    ['.a:has(.b) { color: red }', ':has'],
    [':is(.a, .b) { color: red }', ':is'],
    [':where(.a) { color: red }', ':where'],
    ['.a { color: color-mix(in srgb, red, blue) }', 'color-mix()'],
    ['.a { .b { color: red } }', 'nested rules'],
    ['.a:focus-visible { color: red }', ':focus-visible'],
  ])('%s', (style, what) => {
    expect(findNewInStyle(style)).toContain(what);
  });
});

test('checks the inline scripts of a page', () => {
  const page = (code: string) =>
    `<p>a?.b</p><script type="module" src="/a.js"></script><script>\n${code}\n</script>`;
  expect(findNewInPage(page('a ?? b')).join()).toContain('syntax');
  expect(findNewInPage(page('var a = 1;'))).toEqual([]);
});

test('accepts what Chromium 79 can run', () => {
  const code = 'async function* f() { for await (const a of [1].flatMap((b) => [b])) yield { ...a } }';
  expect(findNewInScript(`${code}; Promise.allSettled([]); globalThis.fetch; new AbortController()`)).toEqual(
    [],
  );
  const style = `
    @media (min-width: 10px) and (prefers-reduced-motion: reduce) { .a::after { content: "" } }
    @font-face { font-family: A; src: url(a.woff2); font-display: swap }
    .a { display: grid; gap: 1rem; grid-template-columns: repeat(2, minmax(0, 1fr)); color: var(--a); --b: 1 }
    .a:not(.b):first-child { width: calc(100vh / 45); position: sticky }
    @keyframes c { from { opacity: 0 } 50% { opacity: 1 } }`;
  expect(findNewInStyle(style)).toEqual([]);
});
