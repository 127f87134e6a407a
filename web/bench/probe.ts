// The probe that runs in the measured page: it observes, and changes nothing.

interface Probe {
  /** ms from the start of the navigation until an order's row was painted. */
  firstRow: Promise<number>;
  /** Bytes of script as they came over the network, asked for before an order's row was painted. */
  scriptBytes(): Promise<number>;
  /** From now on the next key is measured. */
  watchSearch(): void;
  /** ms from the key until its result was painted. */
  searched: Promise<number>;
  begin(): void;
  /** ms, the longest wait between two frames since `begin`. */
  end(): number;
  /** The server's last tick comes again that often, spread over so many ms. */
  tick(times: number, over: number): void;
  ticked: number;
}

declare global {
  var desk: Probe;
}

/** Runs before the page's own scripts. Must not use anything from outside itself. */
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

  let lastFrame = 0;
  let longestFrame = 0;
  let watching = false;
  const frame = (at: number) => {
    longestFrame = Math.max(longestFrame, at - lastFrame);
    lastFrame = at;
    if (watching) requestAnimationFrame(frame);
  };

  globalThis.desk = {
    firstRow: painted(() => document.querySelector('a[aria-label^="Open repair order"]') !== null),
    scriptBytes: async () => {
      const firstRow = await desk.firstRow;
      return performance
        .getEntriesByType('resource')
        .filter(({ name, startTime }) => name.endsWith('.js') && startTime < firstRow)
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0);
    },
    searched: Promise.resolve(Number.NaN),
    watchSearch: () => {
      const before = shown();
      desk.searched = new Promise((done, failed) => {
        setTimeout(() => failed(new Error('nothing else is found than before')), 10_000);
        const key = ({ timeStamp }: KeyboardEvent) =>
          void painted(() => shown() !== before).then((at) => done(at - timeStamp));
        addEventListener('keydown', key, { capture: true, once: true });
      });
    },
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
    ticked: 0,
    tick: (times, over) => {
      const started = performance.now();
      const timer = setInterval(() => {
        const due = Math.min(times, ((performance.now() - started) / over) * times);
        for (; lastTick !== '' && desk.ticked < due; desk.ticked++) deliver(lastTick);
        if (desk.ticked >= times) clearInterval(timer);
      }, 50);
    },
  };
}
