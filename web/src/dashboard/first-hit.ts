// Enter or arrow down in the search field goes to the first order that was found, on the tab All where this one has
// none.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** What a list can do for the keyboard. */
export interface ListHandle {
  focusFirst(): void;
}

interface FirstHitProps {
  /** The list on screen is the one of what was typed. */
  isSearched: boolean;
  /** Searches for what was typed, at once. */
  searchNow(): void;
  rowCount: number;
  list: RefObject<ListHandle | null>;
  /** Shows the hits on the tab All; null where there are no more than here. */
  showAll: (() => void) | null;
}

/** Returns what goes there. */
export function useFirstHit(props: FirstHitProps): () => void {
  const [isWanted, setIsWanted] = useState(false);
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  const { isSearched, rowCount, showAll, searchNow } = props;
  const hasElsewhere = showAll !== null;
  useLayoutEffect(() => {
    if (!isWanted || !isSearched) return;
    if (rowCount === 0 && hasElsewhere) {
      latest.current.showAll?.();
      return;
    }
    setIsWanted(false);
    if (rowCount > 0) latest.current.list.current?.focusFirst();
  }, [isWanted, isSearched, rowCount, hasElsewhere]);

  return () => {
    setIsWanted(true);
    searchNow();
  };
}
