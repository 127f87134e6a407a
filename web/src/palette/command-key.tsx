// The palette's place in the bar: its button and the keys. The dialogs behind them are loaded when first asked for.
import { useQueryClient } from '@tanstack/react-query';
import { SquareChevronRight } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ScreenLink } from '../bar/navigation-bar.tsx';
import { IconButton } from '../ui/button.tsx';
import { Tip } from '../ui/tip.tsx';
import { listenForKeys } from './keys.ts';
import { modifier } from './modifier.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const KeySheet = lazy(async () => ({ default: (await import('./key-sheet.tsx')).KeySheet }));

export function CommandKey({ screens }: { screens: readonly ScreenLink[] }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);

  useEffect(
    () =>
      listenForKeys({
        palette: () => setOpen((now) => (now === 'palette' ? null : 'palette')),
        sheet: () => setOpen('keys'),
        undo: () => void import('../repair-order/undo.ts').then(({ undoLast }) => undoLast(client)),
      }),
    [client],
  );

  const close = () => setOpen(null);
  return (
    <>
      <Tip text={t('palette.title')} detail={`${modifier(t)} K`}>
        <IconButton label={t('palette.title')} aria-haspopup="dialog" onClick={() => setOpen('palette')}>
          <SquareChevronRight aria-hidden className="size-[18px]" />
        </IconButton>
      </Tip>
      <Suspense>
        {open === 'palette' && <Palette screens={screens} close={close} showKeys={() => setOpen('keys')} />}
        {open === 'keys' && <KeySheet close={close} />}
      </Suspense>
    </>
  );
}
