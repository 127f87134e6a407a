// The tasks of the page's main thread, from the browser's trace. A task's wall time includes other work of the
// machine; its CPU time does not.
import type { CDPSession } from '@playwright/test';

export interface LongestTasks {
  /** ms, of the task that took the longest. */
  wall: number;
  /** ms, of the task that worked the longest; 0 where the system does not tell. */
  cpu: number;
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** µs */
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** Watches until the returned function is called. */
export async function watchTasks(cdp: CDPSession): Promise<() => Promise<LongestTasks>> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: object[] }) => {
    events.push(...(value as TraceEvent[]));
  };
  cdp.on('Tracing.dataCollected', collect);
  await cdp.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel'], excludedCategories: ['*'] },
  });
  return async () => {
    const complete = new Promise((done) => cdp.once('Tracing.tracingComplete', done));
    await cdp.send('Tracing.end');
    await complete;
    cdp.off('Tracing.dataCollected', collect);
    return longestOf(events);
  };
}

function longestOf(events: readonly TraceEvent[]): LongestTasks {
  const thread = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const main = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(thread),
  );
  const tasks = events.filter((event) => event.name.endsWith('RunTask') && main.has(thread(event)));
  const longest = (of: (event: TraceEvent) => number | undefined) =>
    tasks.reduce((most, event) => Math.max(most, of(event) ?? 0), 0) / 1_000;
  return { wall: longest(({ dur }) => dur), cpu: longest(({ tdur }) => tdur) };
}
