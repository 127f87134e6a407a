// The theme: light, dark or the system's. The choice is stored on this device; the colours follow `data-theme`.
import { useSyncExternalStore } from 'react';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const STORAGE_KEY = 'dispatch.theme';
const listeners = new Set<() => void>();
let chosenTheme: Theme = storedTheme();

function storedTheme(): Theme {
  const stored = localStorage.getItem(STORAGE_KEY);
  return themes.find((theme) => theme === stored) ?? 'system';
}

export function applyTheme(): void {
  if (chosenTheme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosenTheme;
}

export function chooseTheme(theme: Theme): void {
  chosenTheme = theme;
  localStorage.setItem(STORAGE_KEY, theme);
  applyTheme();
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => chosenTheme,
  );
}
