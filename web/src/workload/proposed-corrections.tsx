// Which technicians propose a correction of their clock, with the way to where it is decided.
import { CalendarClock } from 'lucide-react';
import { Link } from 'react-router';
import type { Workload } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useProposedEntries } from '../repair-order/proposed-entries.ts';

export function ProposedCorrections({ all }: { all: readonly Workload[] }) {
  const { t } = useTranslation();
  const proposed = useProposedEntries();
  if (proposed.length === 0) return null;
  const ids = [...new Set(proposed.map(({ technicianId }) => technicianId))];
  const nameOf = (id: number) => all.find(({ technicianId }) => technicianId === id)?.fullName ?? `#${id}`;
  return (
    <section
      aria-label={t('workload.proposals.label')}
      className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded-lg bg-stale-tint px-3 py-2 text-13 text-stale"
    >
      <CalendarClock aria-hidden className="size-4 shrink-0" />
      <span>{t('workload.proposals.count', { count: proposed.length })}</span>
      <ul className="flex flex-wrap gap-x-4">
        {ids.map((id) => (
          <li key={id}>
            <Link
              to={`/technicians/${id}`}
              className="inline-flex items-center rounded-sm font-medium underline pointer-coarse:min-h-11"
            >
              {nameOf(id)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
