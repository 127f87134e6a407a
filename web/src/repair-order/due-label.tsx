// Marks an order that is late or due soon: a glyph, a word, and by how much.
import { useTranslation } from '../i18n/use-translation.ts';
import type { Dueness } from '../rules/dueness.ts';
import { AlarmClock, TriangleAlert } from '../ui/row-glyphs.tsx';
import { spanText } from './duration-text.ts';

export type NearDueness = Exclude<Dueness, { kind: 'later' }>;

export const dueTone = (near: NearDueness) => (near.kind === 'overdue' ? 'text-danger' : 'text-stale');

interface DueLabelProps {
  near: NearDueness;
  className?: string;
}

/**
 * '⚠ Overdue 1 h 5 min'. Where there is no room for all of it the duration of what is late goes first, then the word: a
 * duration in red alone does not say that it is late. Of what is due soon the words before the duration go first.
 */
export function DueLabel({ near, className = '' }: DueLabelProps) {
  const { t } = useTranslation();
  const isOverdue = near.kind === 'overdue';
  const Glyph = isOverdue ? TriangleAlert : AlarmClock;
  const span = near.kind === 'soon' && near.minutes === 0 ? null : spanText(near.minutes, t);
  return (
    <span
      className={`flex h-[var(--row-line,1rem)] min-w-3.5 gap-x-1 overflow-hidden text-12 leading-[var(--row-line,1rem)] font-medium whitespace-nowrap ${dueTone(near)} ${className}`}
    >
      <Glyph aria-hidden className="my-auto size-3.5 shrink-0" />
      {/* What has no room goes to a further line, which is not seen: the last from the left, or of what is due soon from the
          right. The first line is never empty: where there is no room at all it has the mark before it alone. */}
      <span
        className={`flex h-[var(--row-line,1rem)] min-w-0 flex-wrap gap-x-1 overflow-hidden before:-ml-1 before:h-[var(--row-line,1rem)] ${isOverdue ? '' : 'flex-row-reverse justify-end'}`}
      >
        <span className={isOverdue ? undefined : 'order-1'}>{dueText(near, t, '').trim()}</span>{' '}
        {span !== null && <span>{span}</span>}
      </span>
    </span>
  );
}

type Translate = ReturnType<typeof useTranslation>['t'];

/** 'Overdue 1 h 5 min', 'Due in 12 min', 'Due now'. */
export function dueText(near: NearDueness, t: Translate, span = spanText(near.minutes, t)): string {
  if (near.kind === 'overdue') return t('table.overdue', { span });
  return near.minutes === 0 ? t('table.dueNow') : t('table.dueIn', { span });
}
