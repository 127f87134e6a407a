// For how long a technician's clock has run.
import { Glyph, PlayGlyph } from './icons.tsx';
import { isForgotten, running } from './times.ts';

/** A clock that was probably forgotten does not look like one that runs. */
export function Stopwatch({ since, now }: { since: string; now: number }) {
  const forgotten = isForgotten(since, now);
  return (
    <span class={forgotten ? 'clock forgotten' : 'clock'}>
      {forgotten ? <Glyph name="long" weight={2.4} /> : <PlayGlyph />}
      {running(since, now)}
    </span>
  );
}
