// The service worker of this page. Technicians' pages ask for it; a desk has none.

/** A tablet in the bay is not reloaded for weeks. */
const UPDATE_INTERVAL_MS = 3_600_000;
/** From a registration that failed, for want of a network or of a server that answers, to the next one. */
const RETRY_MS = 60_000;

let registering: Promise<ServiceWorkerRegistration | null> | null = null;

/** Null where there can be none: on plain HTTP, in some private windows, and from Vite; and until the next try after a failure. */
export function registerServiceWorker(): Promise<ServiceWorkerRegistration | null> {
  registering ??= register().catch((failure: unknown) => {
    console.warn('This page cannot be opened without a connection.', failure);
    tryAgainLater();
    return null;
  });
  return registering;
}

async function register(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return null;
  const registration = await navigator.serviceWorker.register('/service-worker.js', {
    updateViaCache: 'none',
  });
  const first = registration.active === null ? registration.installing : null;
  first?.addEventListener('statechange', () => {
    // Without all of the page's files it is not installed, and the browser forgets it.
    if (first.state === 'redundant' && registration.active === null) tryAgainLater();
  });
  keepUpdating(registration);
  return registration;
}

function tryAgainLater(): void {
  setTimeout(() => {
    registering = null;
    void registerServiceWorker();
  }, RETRY_MS);
}

let updates: ReturnType<typeof setInterval> | undefined;

function keepUpdating(registration: ServiceWorkerRegistration): void {
  clearInterval(updates);
  // Without a connection it fails, and there is a next time.
  updates = setInterval(() => void registration.update().catch(() => undefined), UPDATE_INTERVAL_MS);
}
