import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { appendDictation, useDictation } from './dictation.ts';

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

afterEach(() => {
  ears = [];
  vi.unstubAllGlobals();
});

function Field() {
  const [text, write] = useState('Noise.');
  const dictation = useDictation((spokenText) => write(appendDictation(text, spokenText)));
  return (
    <button type="button" onClick={dictation?.toggle}>
      {text}
    </button>
  );
}

test('all that is recognised at once is appended, and nothing that is not final', async () => {
  vi.stubGlobal('SpeechRecognition', Ear);
  render(<Field />);
  await userEvent.setup().click(screen.getByRole('button'));
  const said = (transcript: string, isFinal: boolean) => Object.assign([{ transcript }], { isFinal });
  act(() =>
    ears[0]?.onresult?.({
      resultIndex: 1,
      results: [
        said('before', true),
        said(' Loose bolt', true),
        said(' torqued it ', true),
        said('and', false),
      ],
    }),
  );
  expect(screen.getByRole('button')).toHaveTextContent('Noise. Loose bolt torqued it');
});
