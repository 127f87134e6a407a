import { type ComponentType, lazy, useState } from 'react';
import type { Part } from './part.ts';

/** The code of a screen could not be loaded. */
export class ScreenNotLoaded extends Error {
  /** Resolves once the code is there after all. */
  readonly load: () => Promise<unknown>;
  /** Once the failure is on screen: the next time the screen is rendered, its code is asked for again. */
  readonly forget: () => void;

  constructor(load: () => Promise<unknown>, forget: () => void, cause: unknown) {
    super('The code of a screen could not be loaded.', { cause });
    this.load = load;
    this.forget = forget;
  }
}

/**
 * A screen whose code may be there before it: then it is drawn at once. A spinner in its place would stay for React's
 * 300 ms, however soon the code came.
 */
export function partScreen<P extends object>(source: Part<P>): ComponentType<P> {
  const attempt = () =>
    lazy(async () => {
      try {
        return { default: await source.load() };
      } catch (failure) {
        throw new ScreenNotLoaded(source.load, forget, failure);
      }
    });
  let awaited = attempt();
  // React keeps a failure for good. It renders the screen once more before it shows one, which must find the same.
  const forget = () => {
    awaited = attempt();
  };
  return function PartScreen(props: P) {
    // As it was at first: another component would be another screen.
    const [Screen] = useState(() => source.loaded ?? awaited);
    return <Screen {...props} />;
  };
}
