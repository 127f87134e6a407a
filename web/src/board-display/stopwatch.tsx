// For how long a technician's clock has run.
import { Icon, PlayIcon } from './icons.tsx';
import { formatStopwatch, isForgotten } from './times.ts';

/** A clock that was probably forgotten does not look like one that runs. */
export function Stopwatch({ since, now }: { since: string; now: number }) {
  const forgotten = isForgotten(since, now);
  return (
    <span class={forgotten ? 'clock forgotten' : 'clock'}>
      {forgotten ? <Icon name="long" weight={2.4} /> : <PlayIcon />}
      {formatStopwatch(since, now)}
    </span>
  );
}
