// A day and time as a person types it, and which one is meant where the shop's clock shows it twice.
import { readWallTime, wallTime } from './wall-time.ts';

export interface TypedTime {
  /** 'YYYY-MM-DDTHH:MM' at the shop; empty: none. */
  text: string;
  /** The clock shows it twice, and the second is meant. */
  isSecond: boolean;
}

export const NO_TIME: TypedTime = { text: '', isSecond: false };

export function typedTime(at: number): TypedTime {
  const text = wallTime(at);
  const reading = readWallTime(text);
  return { text, isSecond: reading?.kind === 'twice' && at >= reading.second };
}

/** Which is typed, without a choice: of two the first, unless the second was chosen for a time of the same hours. */
export function retyped(text: string, { isSecond }: TypedTime): TypedTime {
  return { text, isSecond: isSecond && readWallTime(text)?.kind === 'twice' };
}

/** When that is (ms). Null: the clock never shows it, or nothing whole is typed. */
export function instantOf({ text, isSecond }: TypedTime): number | null {
  const reading = readWallTime(text);
  if (reading === null || reading.kind === 'skipped') return null;
  if (reading.kind === 'once') return reading.at;
  return isSecond ? reading.second : reading.first;
}
