// The browser's speech recognition for tests, in which what is said is given by the test.
import { act } from '@testing-library/react';
import { vi } from 'vitest';

class Ear {
  onresult: ((event: object) => void) | null = null;
  onend: (() => void) | null = null;
  start() {
    ears.push(this);
  }
  stop() {
    this.onend?.();
  }
  abort() {
    this.onend?.();
  }
}

let ears: Ear[] = [];

/** From now on until `vi.unstubAllGlobals` the browser recognises speech, under that name. */
export function stubRecognition(name: 'SpeechRecognition' | 'webkitSpeechRecognition' = 'SpeechRecognition') {
  ears = [];
  vi.stubGlobal(name, Ear);
}

export const said = (transcript: string, isFinal = true) => Object.assign([{ transcript }], { isFinal });

/** Whoever began to listen last hears it. `resultIndex`: the first of them that is new. */
export function hear(results: readonly ReturnType<typeof said>[], resultIndex = 0) {
  act(() => ears.at(-1)?.onresult?.({ resultIndex, results }));
}
