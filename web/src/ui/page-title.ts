import { useEffect } from 'react';

/** What the browser's tab says while this screen is up. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
