// What the desk needs only once its first rows are painted: details and dialogs, and the list on paper.
import { type ComponentProps, lazy, Suspense, useEffect, useEffectEvent } from 'react';
import { dialogTexts } from '../i18n/dialogs.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { foldWhenIdle } from '../repair-order/order-matching.ts';
import { usePainted } from '../ui/painted.ts';
import { loadParts } from '../ui/part.ts';
import { shownColumns } from './column-layout.ts';
import type { DeskOrders } from './desk-orders.ts';
import type { DeskView } from './desk-view.ts';

const Dialogs = lazy(async () => {
  const [{ Dialogs: loaded }] = await Promise.all([import('./dialogs.tsx'), loadTexts(dialogTexts)]);
  return { default: loaded };
});
const PrintedList = lazy(async () => ({ default: (await import('./printed-list.tsx')).PrintedList }));

interface DeskExtrasProps extends ComponentProps<typeof Dialogs> {
  view: DeskView;
  orders: DeskOrders;
}

export function DeskExtras({ view, orders, ...dialogs }: DeskExtrasProps) {
  const isListPainted = usePainted(orders.loaded || orders.failure !== null);
  useEffect(() => {
    if (isListPainted) loadParts();
  }, [isListPainted]);
  useFoldedTexts(isListPainted, orders.open);
  if (!isListPainted) return null;
  return (
    <>
      <Suspense>
        <Dialogs {...dialogs} />
      </Suspense>
      <Suspense>
        <PrintedList
          orders={orders.found}
          columns={shownColumns(view.layout)}
          tab={view.tab}
          searched={view.searched}
          due={view.due}
        />
      </Suspense>
    </>
  );
}

/** The first search does not have to wait for all orders' texts. */
function useFoldedTexts(isListPainted: boolean, open: DeskOrders['open']): void {
  const start = useEffectEvent(() => foldWhenIdle([...open.values()].map(({ order }) => order)));
  useEffect(() => (isListPainted ? start() : undefined), [isListPainted]);
}
