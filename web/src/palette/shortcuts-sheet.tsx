// The sheet of keyboard shortcuts that this user can use here.
import type { TFunction } from 'i18next';
import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useEffect } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import {
  actionKey,
  type OrderPermissions,
  orderActions,
  useOrderPermissions,
} from '../repair-order/order-actions.ts';
import { IconButton } from '../ui/button.tsx';
import { useHistoryEntry } from '../ui/history-entries.ts';
import { releaseKeys } from '../ui/key-hold.ts';
import { Kbd } from './kbd.tsx';
import { modifierKey } from './modifier-key.ts';

export interface KeySheetProps {
  close(): void;
  restoreFocus(event: Event): void;
}

export function ShortcutsSheet({ close, restoreFocus }: KeySheetProps) {
  const { t } = useTranslation();
  const groups = useGroups();
  useHistoryEntry(true, close);
  useEffect(releaseKeys, []);
  return (
    <Dialog.Root
      open
      onOpenChange={(next) => {
        if (!next) close();
      }}
    >
      <Dialog.Portal>
        <Dialog.Overlay className="fade fixed inset-0 z-40 bg-black/35" />
        <Dialog.Content
          data-palette
          aria-describedby={undefined}
          onCloseAutoFocus={restoreFocus}
          className="fade fixed top-[min(12vh,7rem)] left-1/2 z-40 flex max-h-[80dvh] w-[min(720px,calc(100vw-2rem))] -translate-x-1/2 flex-col overflow-y-auto rounded-xl border border-line bg-raised shadow-pop max-md:inset-x-0 max-md:top-auto max-md:bottom-0 max-md:left-0 max-md:max-h-[88dvh] max-md:w-full max-md:translate-x-0 max-md:rounded-b-none"
        >
          <div className="sticky top-0 flex items-center justify-between gap-3 border-b border-line bg-raised py-2.5 pr-3 pl-5">
            <Dialog.Title className="text-16 font-semibold">{t('keys.title')}</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label={t('details.close')}>
                <X aria-hidden className="size-[18px]" />
              </IconButton>
            </Dialog.Close>
          </div>
          <div className="px-5 py-4 md:columns-2 md:gap-x-10">
            {groups.map(({ title, lines }) => (
              <section key={title} aria-label={title} className="mb-5 break-inside-avoid last:mb-0">
                <h3 className="mb-1.5 text-12 font-semibold text-quiet">{title}</h3>
                <dl>
                  {lines.map(({ what, keys }) => (
                    <div key={what} className="flex min-h-7 items-center justify-between gap-4 py-0.5">
                      <dt className="text-13">{what}</dt>
                      <dd className="flex shrink-0 items-center gap-1.5">
                        {keys.map((together, at) => (
                          <span key={together.join()} className="flex items-center gap-1">
                            {at > 0 && <span className="mr-0.5 text-12 text-quiet">{t('keys.or')}</span>}
                            {together.map((key) => (
                              <Kbd key={key}>{key}</Kbd>
                            ))}
                          </span>
                        ))}
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface ShortcutLine {
  what: string;
  /** Each is a way of its own; the keys of one are pressed together. */
  keys: readonly (readonly string[])[];
}

interface ShortcutGroup {
  title: string;
  lines: ShortcutLine[];
}

function useGroups(): ShortcutGroup[] {
  const { t } = useTranslation();
  const may = useOrderPermissions();
  const mayChange = may.status || may.priority || may.dispatch;
  const mod = modifierKey(t);
  return [
    {
      title: t('keys.anywhere'),
      lines: [
        { what: t('palette.title'), keys: [[mod, 'K']] },
        { what: t('keys.title'), keys: [['?']] },
        ...(mayChange
          ? [
              { what: t('keys.undo'), keys: [['Z'], [mod, 'Z']] },
              { what: t('keys.recent'), keys: [[t('keys.shift'), 'Z']] },
            ]
          : []),
        { what: t('keys.toasts'), keys: [['F8']] },
      ],
    },
    deskGroup(t, may),
    {
      title: t('keys.dialogs'),
      lines: [
        { what: t('keys.choose'), keys: [['↑'], ['↓']] },
        { what: t('keys.confirm'), keys: [[t('keys.enter')]] },
        { what: t('keys.leave'), keys: [[t('keys.escape')]] },
      ],
    },
    orderGroup(t, may),
  ];
}

/** Wherever the focus is there. */
function deskGroup(t: TFunction, may: OrderPermissions): ShortcutGroup {
  const selection = [
    { what: t('keys.order.dispatchSelected'), keys: [[actionKey.dispatch.toUpperCase()]] },
    { what: t('keys.order.clearSelection'), keys: [[t('keys.escape')]] },
  ];
  return {
    title: t('keys.desk'),
    lines: [
      { what: t('dashboard.searchLabel'), keys: [['/']] },
      { what: t('keys.order.next'), keys: [['↓'], ['J']] },
      { what: t('keys.order.previous'), keys: [['↑'], ['K']] },
      { what: t('keys.order.now'), keys: [['.']] },
      ...(may.dispatch ? selection : []),
    ],
  };
}

function orderGroup(t: TFunction, may: OrderPermissions): ShortcutGroup {
  const actions = orderActions
    .filter((action) => isPermitted(action, may))
    .map((action): ShortcutLine => {
      const key = actionKey[action].toUpperCase();
      return {
        what: t(`keys.order.${action}`),
        keys: action === 'details' ? [[t('keys.enter')], [key]] : [[key]],
      };
    });
  return {
    title: t('keys.onOrder'),
    lines: [
      ...actions,
      ...(may.dispatch ? [{ what: t('keys.order.select'), keys: [[t('keys.space')], ['X']] }] : []),
      { what: t('keys.order.controls'), keys: [['→'], ['←']] },
      ...(may.stage === true ? [{ what: t('stages.board.besideKeys'), keys: [['→'], ['←']] }] : []),
      { what: t('keys.order.pageOn'), keys: [[t('keys.pageDown')]] },
      { what: t('keys.order.pageBack'), keys: [[t('keys.pageUp')]] },
      { what: t('keys.order.first'), keys: [[t('keys.home')]] },
      { what: t('keys.order.last'), keys: [[t('keys.end')]] },
    ],
  };
}

/** On some order or other. */
function isPermitted(action: (typeof orderActions)[number], may: OrderPermissions): boolean {
  if (action === 'details') return true;
  if (action === 'stage' || action === 'hold') return may.stage === true;
  return action === 'status' || action === 'priority' ? may[action] : may.dispatch;
}
