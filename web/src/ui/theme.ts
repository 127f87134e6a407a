// Light, dark, or what the system says. The choice is kept on this device; the colours follow `data-theme`.
import { useSyncExternalStore } from 'react';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const KEPT_AT = 'dispatch.theme';
const listeners = new Set<() => void>();
let chosen: Theme = storedTheme();

function storedTheme(): Theme {
  const stored = localStorage.getItem(KEPT_AT);
  return themes.find((theme) => theme === stored) ?? 'system';
}

export function applyTheme(): void {
  if (chosen === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

export function chooseTheme(theme: Theme): void {
  chosen = theme;
  localStorage.setItem(KEPT_AT, theme);
  applyTheme();
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => chosen,
  );
}
