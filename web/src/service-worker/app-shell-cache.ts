// What a page needs to open without a connection. The network always goes first for the page itself, so that a new
// version is never hidden; what is kept is of one build, page and assets together.

/** Named by the build: the page's script, and all files it needs here. */
export interface Shell {
  version: string;
  /** As the page names it. */
  entry: string;
  files: readonly string[];
}

/** The network is waited for this long when there is a page to show instead. */
const PAGE_WITHIN_MS = 5_000;
/** What stands before the server answers for it. */
const IS_AWAY = [502, 503, 504];
const CACHES = 'dispatch-shell-';
const PAGE = '/';

export interface ShellKeeper {
  keep(): Promise<void>;
  forgetOthers(): Promise<void>;
  page(request: Request): Promise<Response>;
  asset(request: Request): Promise<Response>;
}

/** What becomes of a request: `pass`, it is not this worker's business. */
export function kindOf({ method, mode, url }: Pick<Request, 'method' | 'mode' | 'url'>, origin: string) {
  const { origin: requestOrigin, pathname } = new URL(url);
  if (method !== 'GET' || requestOrigin !== origin || /^\/(api|ws|board)(\/|$)/.test(pathname)) return 'pass';
  // The page's own addresses have no extension.
  if (mode === 'navigate') return pathname.includes('.') ? 'pass' : 'page';
  return /^\/(assets\/|favicon\.svg$|manifest\.webmanifest$)/.test(pathname) ? 'asset' : 'pass';
}

export function shellKeeper({ version, entry, files }: Shell): ShellKeeper {
  const name = `${CACHES}${version}`;
  /** Null once a newer build has forgotten it: opening it would make it anew. */
  const ours = () => inTurn(async () => ((await caches.has(name)) ? caches.open(name) : null));
  const isOfThisBuild = async (page: Response) => (await page.clone().text()).includes(entry);

  /** The server may have been told another name or time zone since. */
  async function renew(page: Response): Promise<void> {
    if (await isOfThisBuild(page)) await (await ours())?.put(PAGE, page);
  }

  return {
    async keep() {
      const page = await fetch(PAGE, { cache: 'reload' });
      // A deployment is under way: the browser tries again later.
      if (!page.ok || !(await isOfThisBuild(page))) throw new Error('The page is of another build.');
      const cache = await caches.open(name);
      await cache.addAll([...files]);
      await cache.put(PAGE, page);
    },

    forgetOthers: () =>
      inTurn(async () => {
        const names = await caches.keys();
        await Promise.all(
          names.filter((one) => one.startsWith(CACHES) && one !== name).map((one) => caches.delete(one)),
        );
      }),

    async page(request) {
      const network = fetch(request);
      const cached = async () => (await ours())?.match(PAGE);
      try {
        const answer = await within(network, PAGE_WITHIN_MS);
        if (answer === null || IS_AWAY.includes(answer.status)) return (await cached()) ?? (await network);
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

/** Between an old worker's look and its opening the new one must not delete. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? await navigator.locks.request('dispatch-shell', work) : work();
}

/** Null when it takes longer. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  // Should it fail after that, somebody else looks at it.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
