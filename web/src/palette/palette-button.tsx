// The palette's place in the bar: its button and the keys. The dialogs behind them are loaded when first asked for.
import { useQueryClient } from '@tanstack/react-query';
import { SquareChevronRight } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import type { ScreenLink } from '../page-header/navigation-bar.tsx';
import { IconButton } from '../ui/button.tsx';
import { Tip } from '../ui/tooltip.tsx';
import { listenForShortcuts } from './global-shortcuts.ts';
import { modifierKey } from './modifier-key.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const KeySheet = lazy(async () => ({ default: (await import('./shortcuts-sheet.tsx')).ShortcutsSheet }));

export function PaletteButton({ screens }: { screens: readonly ScreenLink[] }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);

  const before = useRef<HTMLElement>(null);

  useEffect(
    () =>
      listenForShortcuts({
        palette: () => {
          before.current = focusedOutside() ?? before.current;
          setOpen((now) => (now === 'palette' ? null : 'palette'));
        },
        sheet: () => {
          before.current = focusedOutside();
          setOpen('keys');
        },
        undo: () => void import('../repair-order/undo.ts').then(({ undoLast }) => undoLast(client)),
      }),
    [client],
  );

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
      <Suspense>
        {open === 'palette' && (
          <Palette
            screens={screens}
            close={close}
            restoreFocus={restoreFocus}
            showKeys={() => setOpen('keys')}
          />
        )}
        {open === 'keys' && <KeySheet close={close} restoreFocus={restoreFocus} />}
      </Suspense>
    </>
  );
}

/** What had the focus, unless it is in one of the palette's own dialogs. */
function focusedOutside(): HTMLElement | null {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && activeElement.closest('[data-palette]') === null
    ? activeElement
    : null;
}
