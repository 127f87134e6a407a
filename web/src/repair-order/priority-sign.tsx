import type { Priority } from '../api/repair-orders.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { priorityLook } from './look.ts';

const BARS = [1, 2, 3, 4] as const;

/** A word, and one to four bars that grow. Waiting has all four, grown into one solid shape. */
export function PrioritySign({ priority }: { priority: Priority }) {
  const { t } = useTranslation();
  const look = priorityLook[priority];
  return (
    <span className={`inline-flex items-center gap-2 text-13 whitespace-nowrap ${look.ink}`}>
      <svg viewBox="0 0 14 12" aria-hidden="true" className="h-3 w-3.5 shrink-0">
        {look.solid ? (
          <path d="M0 9.2 12.4.3A1 1 0 0 1 14 1.1V11a1 1 0 0 1-1 1H1a1 1 0 0 1-1-1z" fill="currentColor" />
        ) : (
          BARS.map((bar) => (
            <rect
              key={bar}
              x={(bar - 1) * 3.7}
              y={12 - bar * 3}
              width="2.6"
              height={bar * 3}
              rx=".6"
              fill="currentColor"
              opacity={bar <= look.bars ? 1 : 0.22}
            />
          ))
        )}
      </svg>
      {t(`priority.${priority}`)}
    </span>
  );
}
