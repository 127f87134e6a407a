// Which card of the stage view is the Tab stop. It follows its car when the car moves, and the focus is never lost with a
// card.
import { type FocusEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { type CardPlace, nearestPlace, placeOfCard, type StageColumn } from './stage-columns.ts';

export interface CardFocus {
  /** Null: there is no card. */
  place: CardPlace | null;
  goTo(place: CardPlace): void;
  /** Makes it the Tab stop without moving the focus. */
  stopAt(key: number): void;
  onFocus(event: FocusEvent): void;
  onBlur(): void;
}

/** `list`: in another list the first card is the Tab stop. */
export function useCardFocus(
  list: string,
  columns: readonly StageColumn[],
  board: RefObject<HTMLElement | null>,
): CardFocus {
  const [stop, setStop] = useState<{ key: number; place: CardPlace } | null>(null);
  const [stoppedIn, setStoppedIn] = useState(list);
  if (stoppedIn !== list) {
    setStoppedIn(list);
    setStop(null);
  }
  const found = stop === null ? null : placeOfCard(columns, stop.key);
  const place = found ?? nearestPlace(columns, stop?.place ?? { column: 0, index: 0 });
  const key = keyAt(columns, place);
  const wanted = useRef<number | null>(null);
  const within = useRef(false);

  useLayoutEffect(() => {
    // A card that moved to another column or left took the focus with it.
    if (within.current && document.activeElement === document.body) wanted.current = key;
    if (wanted.current === null) return;
    cardLink(board.current, wanted.current)?.focus();
    wanted.current = null;
  });

  return {
    place,
    goTo: (to) => {
      const target = keyAt(columns, to);
      if (target === null) return;
      wanted.current = target;
      setStop({ key: target, place: to });
    },
    stopAt: (target) => {
      const to = placeOfCard(columns, target);
      if (to !== null) setStop({ key: target, place: to });
    },
    onFocus: ({ target }) => {
      // Focus events also bubble here from menus and dialogs that a card opened elsewhere on the page.
      const card = board.current?.contains(target) ? target.closest<HTMLElement>('[data-card]') : null;
      if (card == null) return;
      within.current = true;
      const focused = Number(card.dataset.card);
      const at = placeOfCard(columns, focused);
      if (at !== null && stop?.key !== focused) setStop({ key: focused, place: at });
    },
    // A card that is taken away tells nobody.
    onBlur: () => {
      within.current = false;
    },
  };
}

export function keyAt(columns: readonly StageColumn[], place: CardPlace | null): number | null {
  return place === null ? null : (columns[place.column]?.keys[place.index] ?? null);
}

/** A card's link is what has its focus. */
export function cardLink(board: HTMLElement | null, key: number): HTMLElement | null {
  return board?.querySelector<HTMLElement>(`[data-card="${key}"] a`) ?? null;
}
