// What the desk needs only once its first rows are painted: details and dialogs, and the list on paper.
import { type ComponentProps, useEffect, useEffectEvent } from 'react';
import { dialogTexts } from '../i18n/dialogs.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { useDialogHost } from '../repair-order/open-dialog.ts';
import { foldWhenIdle } from '../repair-order/order-matching.ts';
import { deferred } from '../ui/deferred.tsx';
import { usePainted } from '../ui/painted.ts';
import { loadParts } from '../ui/part.ts';
import { shownColumns } from './column-layout.ts';
import type { DeskOrders } from './desk-orders.ts';
import type { DeskView } from './desk-view.ts';

const Dialogs = deferred(async () => {
  const [{ Dialogs: loaded }] = await Promise.all([import('./dialogs.tsx'), loadTexts(dialogTexts)]);
  return loaded;
});
const PrintedList = deferred(async () => (await import('./printed-list.tsx')).PrintedList);

interface DeskExtrasProps extends ComponentProps<typeof Dialogs> {
  view: DeskView;
  orders: DeskOrders;
}

const ALL_KINDS = [
  'priority',
  'reassign',
  'add',
  'remove',
  'hold',
  'end-holds',
  'conflict',
  'dispatch',
] as const;

export function DeskExtras({ view, orders, ...dialogs }: DeskExtrasProps) {
  useDialogHost(ALL_KINDS);
  const isListPainted = usePainted(orders.loaded || orders.failure !== null);
  useEffect(() => {
    if (isListPainted) loadParts();
  }, [isListPainted]);
  useFoldedTexts(isListPainted, orders.open);
  if (!isListPainted) return null;
  return (
    <>
      <Dialogs {...dialogs} />
      <PrintedList
        orders={orders.found}
        columns={shownColumns(view.layout)}
        tab={view.tab}
        searched={view.searched}
        due={view.due}
      />
    </>
  );
}

/** The first search does not have to wait for all orders' texts. */
function useFoldedTexts(isListPainted: boolean, open: DeskOrders['open']): void {
  const start = useEffectEvent(() => foldWhenIdle([...open.values()].map(({ order }) => order)));
  useEffect(() => (isListPainted ? start() : undefined), [isListPainted]);
}
