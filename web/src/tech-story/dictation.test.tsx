import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { hear, said, stubRecognition } from './dictation.fixture.ts';
import { appendDictation, useDictation } from './dictation.ts';

afterEach(() => void vi.unstubAllGlobals());

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
  stubRecognition();
  render(<Field />);
  await userEvent.setup().click(screen.getByRole('button'));
  hear([said('before'), said(' Loose bolt'), said(' torqued it '), said('and', false)], 1);
  expect(screen.getByRole('button')).toHaveTextContent('Noise. Loose bolt torqued it');
});
