// When the page is drawn first.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let status: 'loading' | 'signed-in';
let noteSession: () => void;
let listArrives: () => void;
const render = vi.fn();

vi.mock('react-dom/client', () => ({ createRoot: () => ({ render }) }));
vi.mock('./styles.css', () => ({}));
vi.mock('./app.tsx', () => ({ App: () => null }));
vi.mock('./api/session.ts', () => ({
  sessionState: () => ({ status }),
  onSessionChange: (listener: () => void) => {
    noteSession = listener;
  },
}));
vi.mock('./api/early-answers.ts', () => ({
  earlyAnswersArrived: () =>
    new Promise<void>((resolve) => {
      listArrives = resolve;
    }),
}));

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  status = 'loading';
  render.mockClear();
  document.body.innerHTML = '<div id="root"></div>';
  await import('./main.tsx');
});
afterEach(() => {
  vi.useRealTimers();
  document.body.innerHTML = '';
});

const passed = (ms: number) => vi.advanceTimersByTimeAsync(ms);

function restored(): void {
  status = 'signed-in';
  noteSession();
}

test('the page is drawn when session and list are here, and not before', async () => {
  restored();
  await passed(20);
  expect(render).not.toHaveBeenCalled();
  listArrives();
  await passed(1);
  expect(render).toHaveBeenCalledTimes(1);
  await passed(1_000);
  expect(render).toHaveBeenCalledTimes(1);
});

test('a list without a session draws nothing yet', async () => {
  listArrives();
  await passed(20);
  expect(render).not.toHaveBeenCalled();
  restored();
  await passed(1);
  expect(render).toHaveBeenCalledTimes(1);
});

test('what takes longer than a quarter of a second is not waited for', async () => {
  await passed(249);
  expect(render).not.toHaveBeenCalled();
  await passed(1);
  expect(render).toHaveBeenCalledTimes(1);
});
