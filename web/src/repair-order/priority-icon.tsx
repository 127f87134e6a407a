import type { Priority } from '../api/repair-orders.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { priorityAppearance } from './appearance.ts';
import type { RepairOrder } from './order.ts';

/** Rounded, each a step to the right and higher; paths, since a table has hundreds of them. */
const bars = [1, 2, 3, 4].map((bar) => {
  const left = (bar - 1) * 3.7;
  return `M${left + 0.6} ${12 - bar * 3}h1.4a.6.6 0 0 1 .6.6V11.4a.6.6 0 0 1-.6.6h-1.4a.6.6 0 0 1-.6-.6V${12.6 - bar * 3}a.6.6 0 0 1 .6-.6z`;
});

/** The status beside it says the same word already. */
export function repeatsStatus({ status, priority }: Pick<RepairOrder, 'status' | 'priority'>): boolean {
  return status === priority;
}

interface PriorityIconProps {
  priority: Priority;
  /** The word is not shown a second time; screen readers hear it. */
  isRepeated?: boolean;
}

/** A word, and one to four bars that grow. Waiting has all four, grown into one solid shape. */
export function PriorityIcon({ priority, isRepeated = false }: PriorityIconProps) {
  const { t } = useTranslation();
  const appearance = priorityAppearance[priority];
  return (
    <span
      className={`inline-flex min-w-0 max-w-full items-center gap-1.5 text-13 whitespace-nowrap group-data-tight/table:gap-1 group-data-tight/table:text-12 ${appearance.ink}`}
    >
      <svg viewBox="0 0 14 12" aria-hidden="true" className="h-3 w-3.5 shrink-0">
        {appearance.solid ? (
          <path d="M0 9.2 12.4.3A1 1 0 0 1 14 1.1V11a1 1 0 0 1-1 1H1a1 1 0 0 1-1-1z" fill="currentColor" />
        ) : (
          <>
            <path d={bars.slice(0, appearance.bars).join('')} fill="currentColor" />
            <path d={bars.slice(appearance.bars).join('')} fill="currentColor" opacity=".22" />
          </>
        )}
      </svg>
      <span className={isRepeated ? 'sr-only' : 'truncate'}>{t(`priority.${priority}`)}</span>
    </span>
  );
}
