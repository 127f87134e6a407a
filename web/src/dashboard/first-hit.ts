// Enter or arrow down in the search field goes to the first order that was found, on the tab All where this one has
// none, and among the closed ones where there is no open one.
import type { Atom } from '@tanstack/react-store';
import { type RefObject, useLayoutEffect, useState } from 'react';
import { useNewest } from '../ui/latest.ts';

/** What a list can do for the keyboard. */
export interface ListHandle {
  focusFirst(): void;
}

interface FirstHitProps {
  typed: Atom<string>;
  /** Searches for what was typed, at once. */
  searchNow(): void;
  rowCount: number;
  list: RefObject<ListHandle | null>;
  /** Shows the hits on the tab All; null where there are no more than here. */
  showAll: (() => void) | null;
  searched: string;
}

interface FirstHit {
  goToFirst(): void;
  /** No open order was found: the first closed one is gone to as soon as it is there. */
  goesToClosed: boolean;
}

export function useFirstHit(props: FirstHitProps): FirstHit {
  const [isWanted, setIsWanted] = useState(false);
  const [wantedOfClosed, setWantedOfClosed] = useState<string | null>(null);
  const latest = useNewest(props);
  const { typed, searched, rowCount, showAll, searchNow } = props;
  const hasElsewhere = showAll !== null;
  useLayoutEffect(() => {
    // The list on screen may be the one of what was typed before.
    if (!isWanted || typed.get() !== searched) return;
    if (rowCount === 0 && hasElsewhere) {
      latest.current.showAll?.();
      return;
    }
    setIsWanted(false);
    if (rowCount > 0) latest.current.list.current?.focusFirst();
    else setWantedOfClosed(searched);
  }, [isWanted, typed, searched, rowCount, hasElsewhere, latest]);

  const goToFirst = () => {
    setIsWanted(true);
    setWantedOfClosed(null);
    searchNow();
  };
  return { goToFirst, goesToClosed: rowCount === 0 && wantedOfClosed === searched };
}
