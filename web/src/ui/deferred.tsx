import type { ComponentType } from 'react';
import { part, useRetriedPart } from './part.ts';

/**
 * A component whose code is loaded when it is first rendered; until then there is nothing in its place. Where it cannot be
 * loaded, as while the server restarts, that is reported, and it is asked for again: what else is on the screen goes on.
 */
export function deferred<P extends object>(fetchCode: () => Promise<ComponentType<P>>): ComponentType<P> {
  const source = part(fetchCode);
  return function Deferred(props: P) {
    const Loaded = useRetriedPart(source);
    return Loaded === null ? null : <Loaded {...props} />;
  };
}
