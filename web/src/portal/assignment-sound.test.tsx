// The question about the sound, over the starts of a page.
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** The page is started: only what the device stored is left. */
async function start() {
  vi.resetModules();
  const { SoundPermissionLine } = await import('./notice-lines.tsx');
  const { unlockSound } = await import('./assignment-sound.ts');
  const { loadTexts } = await import('../i18n/i18n.ts');
  const { screenTexts } = await import('../i18n/screens.ts');
  await loadTexts(screenTexts);
  const { unmount } = render(<SoundPermissionLine />);
  return { unlockSound, unmount };
}

const question = () => screen.queryByText(/announce themselves with a sound/);
const resumed = vi.fn();

class SilentAudio {
  state = 'suspended';
  onstatechange: (() => void) | null = null;
  async resume() {
    resumed();
    this.state = 'running';
    this.onstatechange?.();
  }
}

beforeEach(() => {
  resumed.mockReset();
  vi.stubGlobal('AudioContext', SilentAudio);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test.each([
  ['Turn on sound', 'on'],
  ['Not now', 'off'],
])('the answer “%s” is remembered by the device', async (answer, stored) => {
  const { unmount } = await start();
  await userEvent.click(screen.getByRole('button', { name: answer }));
  expect(question()).toBeNull();
  expect(localStorage.getItem('dispatch.portal-sound')).toBe(stored);
  unmount();
  await start();
  expect(question()).toBeNull();
});

test('a sound that was turned on is unlocked by the next tap, without a question', async () => {
  localStorage.setItem('dispatch.portal-sound', 'on');
  const { unlockSound } = await start();
  expect(question()).toBeNull();
  unlockSound();
  expect(resumed).toHaveBeenCalledOnce();
});

test('a sound that any tap unlocked is not asked about again', async () => {
  const { unlockSound, unmount } = await start();
  expect(question()).not.toBeNull();
  unlockSound();
  await vi.waitFor(() => expect(question()).toBeNull());
  unmount();
  await start();
  expect(question()).toBeNull();
});
