// The probe that runs in the measured page: it observes, and changes nothing.

interface Probe {
  /** ms from the start of the navigation until an order's row was painted. */
  firstRow: Promise<number>;
  /** The same until every row in sight was painted. */
  filled: Promise<number>;
  /** Bytes of script as they came over the network, asked for before an order's row was painted. */
  scriptBytes(): Promise<number>;
  /** From now on the next key is measured. */
  watchSearch(): void;
  /** ms from the key until its result was painted. */
  searched: Promise<number>;
  /** The same until every row in sight was painted. */
  searchedAll: Promise<number>;
}

interface FrameProbe {
  begin(): void;
  /** ms, the longest wait between two frames since `begin`. */
  end(): number;
}

interface StreamProbe {
  /** The server's last tick comes again that often, spread over so many ms. */
  tick(times: number, over: number): void;
  ticked: number;
}

declare global {
  var desk: Probe;
  var frameProbe: FrameProbe;
  var stream: StreamProbe;
}

/** Runs before the page's own scripts, after `installFilledTable`. Must not use anything from outside itself. */
export function installProbe(): void {
  /** Calls back after the frame in which `is` first holds was painted. */
  const painted = (is: () => boolean) =>
    new Promise<number>((done) => {
      const look = () => {
        if (!is()) {
          requestAnimationFrame(look);
          return;
        }
        // A message waits until this frame is through.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => done(performance.now());
        port2.postMessage(null);
      };
      requestAnimationFrame(look);
    });

  const shown = () => document.querySelector('table')?.getAttribute('aria-rowcount') ?? 'none';

  const isFilled = () => {
    const table = document.querySelector('table');
    return table !== null && isTableFilled(table);
  };

  const firstRow = painted(() => document.querySelector('a[aria-label^="Open repair order"]') !== null);
  globalThis.desk = {
    firstRow,
    filled: firstRow.then(() => painted(isFilled)),
    scriptBytes: async () => {
      const end = await firstRow;
      return performance
        .getEntriesByType('resource')
        .filter(({ name, startTime }) => name.endsWith('.js') && startTime < end)
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0);
    },
    searched: Promise.resolve(Number.NaN),
    searchedAll: Promise.resolve(Number.NaN),
    watchSearch: () => {
      const before = shown();
      const key = new Promise<number>((pressed) => {
        const press = ({ timeStamp }: KeyboardEvent) => pressed(timeStamp);
        addEventListener('keydown', press, { capture: true, once: true });
      });
      const result = key.then(() =>
        Promise.race([
          painted(() => shown() !== before),
          new Promise<never>((_, failed) => {
            setTimeout(() => failed(new Error('nothing else is found than before')), 10_000);
          }),
        ]),
      );
      desk.searched = Promise.all([result, key]).then(([at, since]) => at - since);
      const all = result.then(() => painted(isFilled));
      desk.searchedAll = Promise.all([all, key]).then(([at, since]) => at - since);
    },
  };
}

/** As `installProbe`. */
export function installFrameProbe(): void {
  let lastFrame = 0;
  let longestFrame = 0;
  let watching = false;
  const frame = (at: number) => {
    longestFrame = Math.max(longestFrame, at - lastFrame);
    lastFrame = at;
    if (watching) requestAnimationFrame(frame);
  };

  globalThis.frameProbe = {
    begin: () => {
      lastFrame = performance.now();
      longestFrame = 0;
      watching = true;
      requestAnimationFrame(frame);
    },
    end: () => {
      watching = false;
      return longestFrame;
    },
  };
}

/** As `installProbe`. */
export function installStreamProbe(): void {
  // The stream's socket, for its ticks.
  let deliver: (frame: string) => void = () => undefined;
  let lastTick = '';
  const Native = window.WebSocket;
  window.WebSocket = class extends Native {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener('message', ({ data }) => {
        if (typeof data === 'string' && data.startsWith('42["tick"')) lastTick = data;
      });
      deliver = (frame) => this.dispatchEvent(new MessageEvent('message', { data: frame }));
    }
  };

  globalThis.stream = {
    ticked: 0,
    tick: (times, over) => {
      const started = performance.now();
      const timer = setInterval(() => {
        const due = Math.min(times, ((performance.now() - started) / over) * times);
        for (; lastTick !== '' && stream.ticked < due; stream.ticked++) deliver(lastTick);
        if (stream.ticked >= times) clearInterval(timer);
      }, 50);
    },
  };
}
