// What was last on screen, for when there is no connection to ask.

export async function saved<T>(_name: string): Promise<T | undefined> {
  return undefined;
}

export async function save(_name: string, _value: unknown): Promise<void> {}

export async function forgetSaved(): Promise<void> {}
