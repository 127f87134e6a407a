// In a dialog about several orders: those of them that the list behind it does not show.
import { EyeOff } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import type { DialogOrder } from './dialog-orders.ts';

interface HiddenOrdersProps {
  orders: readonly DialogOrder[];
  /** The keys of the orders that the list did not show when the dialog was opened. */
  hidden: readonly number[];
}

export function HiddenOrders({ orders, hidden }: HiddenOrdersProps) {
  const { t } = useTranslation();
  const unseen = orders.map(({ original }) => original.order).filter(({ key }) => hidden.includes(key));
  if (unseen.length === 0) return null;
  return (
    <section role="note" className="rounded-lg bg-stale-tint px-3.5 py-3 text-13">
      <p className="flex items-center gap-2 font-medium text-stale">
        <EyeOff aria-hidden className="size-4 shrink-0" />
        {t('decision.dispatch.hidden', { count: unseen.length, all: orders.length })}
      </p>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        tabIndex={0}
        className="mt-1.5 flex max-h-28 flex-col gap-0.5 overflow-y-auto"
      >
        {unseen.map(({ key, roNumber, customer, vehicle }) => (
          <li key={key} className="break-words">
            <span className="font-mono text-12">{roNumber}</span> {customer}
            <span className="text-quiet"> · {vehicle}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
