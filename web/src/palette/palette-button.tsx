// The palette's place in the bar: its button and the keys. The palette is loaded once the first rows are painted, its
// suggestions and the sheet of shortcuts when first asked for.
import { useQueryClient } from '@tanstack/react-query';
import { SquareChevronRight } from 'lucide-react';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { loadTexts } from '../i18n/i18n.ts';
import { paletteTexts } from '../i18n/palette.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import type { ScreenLink } from '../page-header/screen-links.tsx';
import { IconButton } from '../ui/button.tsx';
import { holdKeys, releaseKeys, releaseKeysOnArrival } from '../ui/key-hold.ts';
import { part, useOpenedPart, usePart } from '../ui/part.ts';
import { Tip } from '../ui/tooltip.tsx';
import { listenForShortcuts } from './global-shortcuts.ts';
import { modifierKey } from './modifier-key.ts';
import type { KeySheetProps } from './shortcuts-sheet.tsx';

const palette = part(async () => {
  const [{ Palette }] = await Promise.all([import('./palette.tsx'), loadTexts(paletteTexts)]);
  return Palette;
});
const keySheet = part(async () => {
  const [{ ShortcutsSheet }] = await Promise.all([import('./shortcuts-sheet.tsx'), loadTexts(paletteTexts)]);
  return ShortcutsSheet;
});

export function PaletteButton({ screens }: { screens: readonly ScreenLink[] }) {
  const { t } = useTranslation();
  const { Shown: Palette, isOpen, setIsOpen, arrived } = usePart(palette);
  const [areKeysOpen, showSheet] = useState(false);

  const before = useRef<HTMLElement>(null);
  const showKeys = useCallback(() => {
    setIsOpen(false);
    showSheet(true);
    holdKeys({ cancel: () => showSheet(false) });
  }, [setIsOpen]);

  const toggle = useCallback(() => {
    showSheet(false);
    setIsOpen(!isOpen);
  }, [isOpen, setIsOpen]);
  useShortcuts(before, toggle, showKeys);
  useReleaseOnArrival();
  const restoreFocus = (event: Event) => {
    event.preventDefault();
    before.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <Tip text={t('palette.title')} detail={`${modifierKey(t)} K`}>
        <IconButton
          label={t('palette.title')}
          aria-haspopup="dialog"
          onClick={(event) => {
            before.current = event.currentTarget;
            setIsOpen(true);
          }}
        >
          <SquareChevronRight aria-hidden className="size-[18px]" />
        </IconButton>
      </Tip>
      {isOpen && Palette !== null && (
        <Palette
          screens={screens}
          close={() => setIsOpen(false)}
          restoreFocus={restoreFocus}
          showKeys={showKeys}
          takeText={arrived}
        />
      )}
      {areKeysOpen && <KeySheet close={() => showSheet(false)} restoreFocus={restoreFocus} />}
    </>
  );
}

function KeySheet({ close, restoreFocus }: KeySheetProps) {
  const Sheet = useOpenedPart(keySheet, () => {
    releaseKeys();
    close();
  });
  return Sheet === null ? null : <Sheet close={close} restoreFocus={restoreFocus} />;
}

/** `before`: what had the focus, and gets it back. */
function useShortcuts(before: RefObject<HTMLElement | null>, toggle: () => void, showKeys: () => void): void {
  const client = useQueryClient();
  useEffect(
    () =>
      listenForShortcuts({
        palette: () => {
          before.current = focusedOutside() ?? before.current;
          toggle();
        },
        sheet: () => {
          before.current = focusedOutside();
          showKeys();
        },
        undo: () => void import('../repair-order/undo.ts').then(({ undoByKey }) => undoByKey(client)),
      }),
    [before, client, toggle, showKeys],
  );
}

/** Another screen or view is there. An order's details release the keys themselves. */
function useReleaseOnArrival(): void {
  // The palette's own entry has the key of the one below it: to close the palette is no arrival.
  const { key, search } = useLocation();
  useEffect(() => {
    void key;
    if (!new URLSearchParams(search).has('ro')) releaseKeysOnArrival();
  }, [key, search]);
}

/** What had the focus, unless it is in one of the palette's own dialogs. */
function focusedOutside(): HTMLElement | null {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && activeElement.closest('[data-palette]') === null
    ? activeElement
    : null;
}
