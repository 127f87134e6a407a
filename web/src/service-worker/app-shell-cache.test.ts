import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAppShellCache, kindOf } from './app-shell-cache.ts';

const page = (build: string, extra = '') =>
  new Response(`<script src="/assets/index-${build}.js"></script>${extra}`, { status: 200 });
const shellOf = (build: string) => ({
  version: build,
  entry: `assets/index-${build}.js`,
  files: [`/assets/index-${build}.js`],
});
const requestFor = (path: string) => new Request(new URL(path, 'http://shop.test'));

/** What caches are to a worker; the browser's own are in web/e2e. */
class CacheOfTest {
  readonly kept = new Map<string, Response>();
  private key(of: RequestInfo | URL) {
    return new URL(of instanceof Request ? of.url : of, 'http://shop.test').pathname;
  }
  async match(of: RequestInfo | URL) {
    return this.kept.get(this.key(of))?.clone();
  }
  async put(of: RequestInfo | URL, answer: Response) {
    this.kept.set(this.key(of), answer);
  }
  async addAll(all: RequestInfo[]) {
    for (const one of all) {
      const answer = await fetch(one);
      if (!answer.ok) throw new TypeError(`${String(one)} could not be had`);
      await this.put(one, answer);
    }
  }
}

let cacheStorage: Map<string, CacheOfTest>;
let network: (path: string) => Promise<Response>;

/** Server and files of one build. */
function deployed(build: string, extra = ''): (path: string) => Promise<Response> {
  return async (path) => {
    if (path === `/assets/index-${build}.js`) return new Response(`script of ${build}`);
    if (path.startsWith('/assets/')) return new Response('No such file', { status: 404 });
    return page(build, extra);
  };
}
const down = () => Promise.reject(new TypeError('Failed to fetch'));
const textOf = async (answer: Promise<Response>) => (await answer).text();

beforeEach(() => {
  cacheStorage = new Map();
  vi.stubGlobal('caches', {
    open: async (name: string) => {
      const found = cacheStorage.get(name) ?? new CacheOfTest();
      cacheStorage.set(name, found);
      return found;
    },
    has: async (name: string) => cacheStorage.has(name),
    keys: async () => [...cacheStorage.keys()],
    delete: async (name: string) => cacheStorage.delete(name),
  });
  vi.stubGlobal('fetch', (one: RequestInfo) =>
    network(new URL(one instanceof Request ? one.url : one, 'http://shop.test').pathname),
  );
  network = deployed('one');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the page', () => {
  test('comes from the network when there is one, so that no new version is hidden', async () => {
    const cache = createAppShellCache(shellOf('one'));
    await cache.keep();
    network = deployed('two');
    expect(await textOf(cache.page(requestFor('/technicians/5')))).toContain('index-two.js');
  });

  test('comes offline from the cache with its own script, whatever was deployed since', async () => {
    const cache = createAppShellCache(shellOf('one'));
    await cache.keep();
    network = deployed('two');
    await cache.page(requestFor('/technicians/5'));
    network = down;
    expect(await textOf(cache.page(requestFor('/technicians/5')))).toContain('index-one.js');
    expect(await textOf(cache.asset(requestFor('/assets/index-one.js')))).toBe('script of one');
  });

  test('of the same build is cached as the server sends it now', async () => {
    const cache = createAppShellCache(shellOf('one'));
    await cache.keep();
    network = deployed('one', 'another brand name');
    await cache.page(requestFor('/'));
    network = down;
    await vi.waitFor(async () =>
      expect(await textOf(cache.page(requestFor('/technicians/5')))).toContain('another brand name'),
    );
  });

  test.each([502, 503, 504])('comes from the cache when the network answers %i', async (status) => {
    const cache = createAppShellCache(shellOf('one'));
    await cache.keep();
    network = async () => new Response('Bad gateway', { status });
    expect(await textOf(cache.page(requestFor('/technicians/5')))).toContain('index-one.js');
  });

  test('comes from the cache when the network does not answer for 5 s', async () => {
    const cache = createAppShellCache(shellOf('one'));
    await cache.keep();
    vi.useFakeTimers();
    network = () => new Promise(() => undefined);
    const answer = textOf(cache.page(requestFor('/technicians/5')));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await answer).toContain('index-one.js');
  });

  test('that is neither reachable nor cached is a network failure', async () => {
    network = down;
    await expect(createAppShellCache(shellOf('one')).page(requestFor('/'))).rejects.toThrow(
      'Failed to fetch',
    );
  });
});

describe('a build', () => {
  test('is cached completely or not at all', async () => {
    network = deployed('two');
    await expect(createAppShellCache(shellOf('one')).keep()).rejects.toThrow('another build');
    network = async (path) => (path.startsWith('/assets/') ? new Response('', { status: 404 }) : page('one'));
    await expect(createAppShellCache(shellOf('one')).keep()).rejects.toThrow('could not be had');
    network = down;
    await expect(createAppShellCache(shellOf('one')).page(requestFor('/'))).rejects.toThrow();
  });

  test('replaces the previous one', async () => {
    await createAppShellCache(shellOf('one')).keep();
    cacheStorage.set('somebody-elses', new CacheOfTest());
    network = deployed('two');
    const cache = createAppShellCache(shellOf('two'));
    await cache.keep();
    await cache.forgetOthers();
    expect([...cacheStorage.keys()]).toEqual(['somebody-elses', 'dispatch-shell-two']);
  });
});

describe('an asset', () => {
  test('is not cached after a newer build has deleted its cache', async () => {
    network = deployed('one');
    const old = createAppShellCache(shellOf('one'));
    await old.keep();
    network = deployed('two');
    const newer = createAppShellCache(shellOf('two'));
    await newer.keep();
    await newer.forgetOthers();
    network = deployed('one');
    await old.asset(requestFor('/assets/index-one.js'));
    await old.page(requestFor('/'));
    await new Promise((done) => setTimeout(done, 20));
    expect([...cacheStorage.keys()]).toEqual(['dispatch-shell-two']);
  });

  test('comes from the cache first, and is cached after a fetch', async () => {
    const fetched = vi.fn(deployed('one'));
    network = fetched;
    const cache = createAppShellCache({ ...shellOf('one'), files: [] });
    await cache.keep();
    await cache.asset(requestFor('/assets/index-one.js'));
    await vi.waitFor(async () => {
      fetched.mockClear();
      await cache.asset(requestFor('/assets/index-one.js'));
      expect(fetched).not.toHaveBeenCalled();
    });
  });

  test('that is missing is not cached', async () => {
    const cache = createAppShellCache(shellOf('one'));
    expect((await cache.asset(requestFor('/assets/old.js'))).status).toBe(404);
    network = async () => new Response('here now');
    expect(await textOf(cache.asset(requestFor('/assets/old.js')))).toBe('here now');
  });
});

test.each([
  ['page', 'GET', 'navigate', '/technicians/5'],
  ['page', 'GET', 'navigate', '/'],
  ['pass', 'GET', 'navigate', '/api/docs'],
  ['pass', 'GET', 'navigate', '/favicon.svg'],
  ['pass', 'POST', 'navigate', '/technicians/5'],
  ['asset', 'GET', 'cors', '/assets/index-one.js'],
  ['asset', 'GET', 'no-cors', '/favicon.svg'],
  ['pass', 'GET', 'cors', '/api/repair-orders'],
  ['pass', 'POST', 'cors', '/api/push/delivered'],
  ['pass', 'GET', 'cors', '/ws/?EIO=4&transport=polling'],
  ['pass', 'GET', 'cors', '/service-worker.js'],
  ['pass', 'GET', 'no-cors', 'http://elsewhere.test/assets/x.js'],
])('it is %s: %s %s %s', (kind, method, mode, path) => {
  const url = new URL(path, 'http://shop.test').href;
  const request = { method, mode, url } as Pick<Request, 'method' | 'mode' | 'url'>;
  expect(kindOf(request, 'http://shop.test')).toBe(kind);
});
