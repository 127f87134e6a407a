import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const MINUTE = 60_000;

class WorkerOfTest extends EventTarget {
  state = 'installing';
  becomes(state: string) {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

const register = vi.fn();
let registerServiceWorker: typeof import('./service-worker-registration.ts').registerServiceWorker;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubEnv('DEV', false);
  vi.stubGlobal('navigator', { serviceWorker: { register } });
  register.mockReset();
  vi.resetModules();
  ({ registerServiceWorker } = await import('./service-worker-registration.ts'));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

const registrationWith = (installing: WorkerOfTest, active: WorkerOfTest | null = null) => ({
  installing,
  active,
  update: async () => undefined,
});

test('a registration that failed is made again a minute later', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const made = registrationWith(new WorkerOfTest());
  register.mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue(made);
  expect(await registerServiceWorker()).toBeNull();
  await vi.advanceTimersByTimeAsync(MINUTE - 1);
  expect(register).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(register).toHaveBeenCalledTimes(2);
  expect(await registerServiceWorker()).toBe(made);
});

test('a worker that could not be installed is registered again, one that was replaced is not', async () => {
  const failing = new WorkerOfTest();
  register.mockResolvedValueOnce(registrationWith(failing));
  const installed = new WorkerOfTest();
  const registration = registrationWith(installed);
  register.mockResolvedValue(registration);
  await registerServiceWorker();
  failing.becomes('redundant');
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(register).toHaveBeenCalledTimes(2);
  installed.becomes('installed');
  registration.active = installed;
  installed.becomes('activated');
  // A newer version takes its place.
  installed.becomes('redundant');
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(register).toHaveBeenCalledTimes(2);
});
