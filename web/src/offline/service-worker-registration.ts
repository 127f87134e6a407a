// The service worker of this page. Technicians' pages ask for it; a desk has none.

/** A tablet in the bay is not reloaded for weeks. */
const UPDATE_INTERVAL_MS = 3_600_000;

let registering: Promise<ServiceWorkerRegistration | null> | null = null;

/** Null where there can be none: on plain HTTP, in some private windows, and from Vite. */
export function registerServiceWorker(): Promise<ServiceWorkerRegistration | null> {
  registering ??= register().catch((failure: unknown) => {
    console.warn('This page cannot be opened without a connection.', failure);
    return null;
  });
  return registering;
}

async function register(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return null;
  const registration = await navigator.serviceWorker.register('/service-worker.js', {
    updateViaCache: 'none',
  });
  // Without a connection it fails, and there is a next time.
  setInterval(() => void registration.update().catch(() => undefined), UPDATE_INTERVAL_MS);
  return registration;
}
