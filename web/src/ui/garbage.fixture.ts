// Whether memory is given back: a test holds a thing by a WeakRef alone and collects the garbage.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, vi } from 'vitest';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

export async function expectGone(thing: WeakRef<object>): Promise<void> {
  await vi.waitFor(() => {
    collect();
    // A failed expectation of the thing itself would keep it.
    expect(thing.deref() === undefined).toBe(true);
  });
}
