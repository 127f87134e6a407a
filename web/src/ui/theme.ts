// The theme: light, dark or the system's. The choice is stored on this device; the colours follow `data-theme`.
import { createAtom, useSelector } from '@tanstack/react-store';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const STORAGE_KEY = 'dispatch.theme';
const chosenTheme = createAtom(storedTheme());

function storedTheme(): Theme {
  const stored = localStorage.getItem(STORAGE_KEY);
  return themes.find((theme) => theme === stored) ?? 'system';
}

export function applyTheme(): void {
  const theme = chosenTheme.get();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function chooseTheme(theme: Theme): void {
  chosenTheme.set(theme);
  localStorage.setItem(STORAGE_KEY, theme);
  applyTheme();
}

export function useTheme(): Theme {
  return useSelector(chosenTheme);
}
