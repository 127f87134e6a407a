import { type ReactNode, useDeferredValue } from 'react';

/** What may be drawn a frame after what stands beside it: it delays neither that nor the next key. */
export function Later({ children }: { children: ReactNode }) {
  return useDeferredValue(children);
}
