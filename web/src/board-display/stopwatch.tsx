// For how long a technician's clock has run.
import { Icon, PlayIcon } from './icons.tsx';
import { formatStopwatch, isForgotten } from './times.ts';

/** A clock that was probably forgotten does not look like one that runs. */
export function Stopwatch({
  since,
  now,
  isShort = false,
}: {
  since: string;
  now: number;
  /** Without seconds. */
  isShort?: boolean;
}) {
  const forgotten = isForgotten(since, now);
  return (
    <span class={forgotten ? 'clock forgotten' : 'clock'}>
      {forgotten ? <Icon name="long" weight={2.4} /> : <PlayIcon />}
      {isShort ? formatStopwatch(since, now).replace(/:\d\d$/, '') : formatStopwatch(since, now)}
    </span>
  );
}
