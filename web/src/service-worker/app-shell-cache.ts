// The files a page needs to open without a connection. The page itself always comes from the network first, so that a
// new version is never hidden; the cache holds the page and assets of one build.

/** Written by the build: the page's script, and all files the page needs offline. */
export interface AppShell {
  version: string;
  /** As the page refers to it. */
  entry: string;
  files: readonly string[];
}

/** How long to wait for the network when the cache has a page. */
const PAGE_TIMEOUT_MS = 5_000;
/** A proxy answers for the server. */
const GATEWAY_ERRORS = [502, 503, 504];
const CACHE_PREFIX = 'dispatch-shell-';
const PAGE_PATH = '/';

export interface AppShellCache {
  keep(): Promise<void>;
  forgetOthers(): Promise<void>;
  page(request: Request): Promise<Response>;
  asset(request: Request): Promise<Response>;
}

/** How a request is handled. `pass`: this worker does not handle it. */
export function kindOf({ method, mode, url }: Pick<Request, 'method' | 'mode' | 'url'>, origin: string) {
  const { origin: requestOrigin, pathname } = new URL(url);
  if (method !== 'GET' || requestOrigin !== origin || /^\/(api|ws|board)(\/|$)/.test(pathname)) return 'pass';
  // The page's own addresses have no extension.
  if (mode === 'navigate') return pathname.includes('.') ? 'pass' : 'page';
  return /^\/(assets\/|favicon\.svg$|manifest\.webmanifest$)/.test(pathname) ? 'asset' : 'pass';
}

export function createAppShellCache({ version, entry, files }: AppShell): AppShellCache {
  const name = `${CACHE_PREFIX}${version}`;
  /** Null once a newer build has deleted the cache: opening it would create it again. */
  const ours = () => serialised(async () => ((await caches.has(name)) ? caches.open(name) : null));
  const isOfThisBuild = async (page: Response) => (await page.clone().text()).includes(entry);

  /** The server may have another shop name or time zone since. */
  async function renew(page: Response): Promise<void> {
    if (await isOfThisBuild(page)) await (await ours())?.put(PAGE_PATH, page);
  }

  return {
    async keep() {
      const page = await fetch(PAGE_PATH, { cache: 'reload' });
      // A deployment is under way: the browser tries again later.
      if (!page.ok || !(await isOfThisBuild(page))) throw new Error('The page is of another build.');
      const cache = await caches.open(name);
      await cache.addAll([...files]);
      await cache.put(PAGE_PATH, page);
    },

    forgetOthers: () => serialised(() => deleteAllBut(name)),

    async page(request) {
      const network = fetch(request);
      const cached = async () => (await ours())?.match(PAGE_PATH);
      try {
        const answer = await withTimeout(network, PAGE_TIMEOUT_MS);
        if (answer === null || GATEWAY_ERRORS.includes(answer.status))
          return (await cached()) ?? (await network);
        if (answer.ok) void renew(answer.clone()).catch(() => undefined);
        return answer;
      } catch (failure) {
        const page = await cached();
        if (page === undefined) throw failure;
        return page;
      }
    },

    async asset(request) {
      const cache = await ours();
      const cached = await cache?.match(request);
      if (cached !== undefined) return cached;
      const answer = await fetch(request);
      if (answer.ok) {
        const copy = answer.clone();
        void ours()
          .then((still) => still?.put(request, copy))
          .catch(() => undefined);
      }
      return answer;
    },
  };
}

async function deleteAllBut(name: string): Promise<void> {
  const names = await caches.keys();
  const others = names.filter((one) => one.startsWith(CACHE_PREFIX) && one !== name);
  await Promise.all(others.map((one) => caches.delete(one)));
}

/** The new worker must not delete a cache between an old worker's check and its opening. */
async function serialised<T>(work: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? await navigator.locks.request('dispatch-shell', work) : work();
}

/** Null when it takes longer. */
async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  // A later failure is handled elsewhere.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
