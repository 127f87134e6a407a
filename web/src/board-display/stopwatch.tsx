// For how long a technician's clock has run.
import { Icon } from './icons.tsx';
import { formatStopwatch, isForgotten } from './times.ts';

/** A clock that was probably forgotten does not look like one that runs on a job, nor does one that runs on none. */
export function Stopwatch({
  since,
  now,
  isIdle,
  isShort,
}: {
  since: string;
  now: number;
  /** On the clock, and on no job. */
  isIdle?: boolean;
  /** Without seconds. */
  isShort?: boolean;
}) {
  const forgotten = isForgotten(since, now);
  return (
    <span class={forgotten ? 'clock forgotten' : 'clock'}>
      <Icon name={forgotten ? 'long' : isIdle ? 'idle' : 'play'} weight={3} />
      {formatStopwatch(since, now).replace(isShort ? /:\d\d$/ : '', '')}
    </span>
  );
}
