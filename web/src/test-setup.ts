// What every test in jsdom needs: matchers, a clean page after each test, and the browser parts jsdom lacks.
import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';
import { dialogTexts } from './i18n/dialogs.ts';
import { loadTexts } from './i18n/i18n.ts';
import { paletteTexts } from './i18n/palette.ts';
import { screenTexts } from './i18n/screens.ts';
import { storyTexts } from './i18n/story.ts';
import { historyAtRest } from './ui/history-entries.ts';
import { currentToast, dismissToast } from './ui/toaster.ts';

// A busy machine is slow, so waits have a long timeout.
configure({ asyncUtilTimeout: 5_000 });

// A request that a test does not mock never gets an answer: a refusal might arrive after the test's end.
globalThis.fetch = () => new Promise(() => undefined);

afterEach(async () => {
  cleanup();
  localStorage.clear();
  // A failure in sight would have the next test's success wait.
  const toast = currentToast();
  if (toast?.tone === 'destructive') dismissToast(toast.id);
  // What was still open takes its entry out of the history, which the next test begins with.
  await historyAtRest();
});

// Radix asks for these when a menu, tooltip or toast opens; jsdom has no layout and no pointers.
Element.prototype.scrollIntoView ??= () => undefined;
Element.prototype.hasPointerCapture ??= () => false;
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
// Without a layout everything is in sight.
globalThis.IntersectionObserver ??= class {
  root = null;
  rootMargin = '';
  scrollMargin = '';
  thresholds = [];
  private readonly callback: IntersectionObserverCallback;
  constructor(callback: IntersectionObserverCallback) {
    this.callback = callback;
  }
  observe(target: Element) {
    const entry = { target, isIntersecting: true, intersectionRatio: 1 } as IntersectionObserverEntry;
    this.callback([entry], this);
  }
  unobserve() {}
  disconnect() {}
  takeRecords = () => [];
};

// The window is in front, though nothing in it has the focus.
document.hasFocus = () => true;

// No media query matches: a wide screen, a mouse, the light theme.
window.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });

// jsdom has no animations; of their clock only that it goes on is used.
Object.defineProperty(document, 'timeline', {
  value: {
    get currentTime() {
      return performance.now();
    },
  },
});

// In every language that a test chooses.
await Promise.all([screenTexts, dialogTexts, storyTexts, paletteTexts].map(loadTexts));
