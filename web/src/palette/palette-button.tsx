// The palette's place in the bar: its button and the keys. Its suggestions and the sheet of shortcuts are loaded when
// first asked for.
import { useQueryClient } from '@tanstack/react-query';
import { SquareChevronRight } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useTranslation } from '../i18n/use-translation.ts';
import type { ScreenLink } from '../page-header/screen-links.tsx';
import { IconButton } from '../ui/button.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { holdKeys, releaseKeys } from '../ui/key-hold.ts';
import { Tip } from '../ui/tooltip.tsx';
import { listenForShortcuts } from './global-shortcuts.ts';
import { modifierKey } from './modifier-key.ts';
import { Palette } from './palette.tsx';

const KeySheet = lazy(async () => {
  try {
    return { default: (await import('./shortcuts-sheet.tsx')).ShortcutsSheet };
  } catch (failure) {
    releaseKeys();
    throw failure;
  }
});

export function PaletteButton({ screens }: { screens: readonly ScreenLink[] }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);

  const before = useRef<HTMLElement>(null);
  const showKeys = useCallback(() => {
    setOpen('keys');
    holdKeys({ cancel: () => setOpen(null) });
  }, []);

  useEffect(
    () =>
      listenForShortcuts({
        palette: () => {
          before.current = focusedOutside() ?? before.current;
          setOpen((now) => (now === 'palette' ? null : 'palette'));
        },
        sheet: () => {
          before.current = focusedOutside();
          showKeys();
        },
        undo: () => void import('../repair-order/undo.ts').then(({ undoLast }) => undoLast(client)),
      }),
    [client, showKeys],
  );

  useReleaseOnArrival();
  const close = () => setOpen(null);
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
            setOpen('palette');
          }}
        >
          <SquareChevronRight aria-hidden className="size-[18px]" />
        </IconButton>
      </Tip>
      {open === 'palette' && (
        <Palette screens={screens} close={close} restoreFocus={restoreFocus} showKeys={showKeys} />
      )}
      <ErrorBoundary fallback={null}>
        <Suspense>{open === 'keys' && <KeySheet close={close} restoreFocus={restoreFocus} />}</Suspense>
      </ErrorBoundary>
    </>
  );
}

/** Another screen or view is there. An order's details release the keys themselves. */
function useReleaseOnArrival(): void {
  const location = useLocation();
  useEffect(() => {
    if (!new URLSearchParams(location.search).has('ro')) releaseKeys();
  }, [location]);
}

/** What had the focus, unless it is in one of the palette's own dialogs. */
function focusedOutside(): HTMLElement | null {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && activeElement.closest('[data-palette]') === null
    ? activeElement
    : null;
}
