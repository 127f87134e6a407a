// What was last on screen, for when there is no connection to ask.

export async function saved<T>(_name: string): Promise<T | undefined> {
  return undefined;
}

/** When that was last known to be so (ms). */
export async function savedAt(_name: string): Promise<number | undefined> {
  return undefined;
}

export function save(_name: string, _value: unknown): void {}

export async function forgetSaved(): Promise<void> {}
