import { type ComponentType, lazy, useState } from 'react';
import type { Part } from './part.ts';

/**
 * A screen whose code may be there before it: then it is drawn at once. A spinner in its place would stay for React's
 * 300 ms, however soon the code came.
 */
export function partScreen<P extends object>(source: Part<P>): ComponentType<P> {
  const Awaited = lazy(async () => ({ default: await source.load() }));
  return function PartScreen(props: P) {
    // As it was at first: another component would be another screen.
    const [Screen] = useState(() => source.loaded ?? Awaited);
    return <Screen {...props} />;
  };
}
