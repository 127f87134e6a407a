// The technicians who could get an order, as the options of a picker: the best fit first, each with what speaks for and
// against them.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Technician } from '../api/repair-orders.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import type { PickerOption } from '../ui/picker.tsx';
import { openOrders } from './live-orders.ts';
import type { AssignedTechnician, RepairOrder } from './order.ts';
import { loadsOf, technicians } from './technician-choice.tsx';
import { fitTexts, isStrength, reasonText, useRanking } from './technician-ranking.ts';

export interface CandidateOption extends PickerOption {
  technician: AssignedTechnician;
  detail: string;
  load: string;
  hours: string;
}

/** Those who are not on the order. Null: they are loading, or could not be loaded. */
export function useCandidateOptions(order: RepairOrder): {
  options: CandidateOption[] | null;
  failed: boolean;
} {
  const { t, locale } = useTranslation();
  const roNumbers = useMemo(() => [order.key], [order.key]);
  const ranking = useRanking(roNumbers);
  const { data, isError } = useQuery(technicians);
  const { data: cache } = useQuery(openOrders);
  const loads = useMemo(() => loadsOf(cache), [cache]);
  if (data === undefined || !ranking.settled) return { options: null, failed: isError && data === undefined };
  const { placeOf } = ranking;
  const isFree = ({ idTechnician }: Technician) => !order.technicians.some(({ id }) => id === idTechnician);
  const free = data.filter(isFree);
  const sorted =
    placeOf === null ? free : free.toSorted((a, b) => placeOf(a.idTechnician) - placeOf(b.idTechnician));
  const options = sorted.map(({ idTechnician: id, displayName: name, specialty }) => {
    const reasons = ranking.reasonsFor(id);
    const isLoad = ({ kind }: (typeof reasons)[number]) => kind === 'load';
    // What speaks for somebody comes first.
    const why = reasonText(
      [...reasons.filter(isStrength), ...reasons.filter((one) => !isStrength(one) && !isLoad(one))],
      t,
      locale,
    );
    return {
      value: String(id),
      text: `${name} ${specialty}`,
      group: t(placeOf === null ? 'picker.byName' : 'picker.bestFirst'),
      technician: { id, name },
      detail: [specialty, ...why, ...fitTexts(reasons.filter(isLoad), t, locale)]
        .filter((text) => text !== '')
        .join(' · '),
      load: t('decision.load', { count: loads.get(id) ?? 0 }),
      hours: reasonText(reasons.filter(isLoad), t, locale).join(),
    };
  });
  return { options, failed: false };
}

export function CandidateLine({ option: { technician, detail, load, hours } }: { option: CandidateOption }) {
  return (
    <span className="flex min-w-0 flex-1 items-center gap-3 py-1">
      <span className="min-w-0 flex-1">
        <span className="block font-medium break-words">{technician.name}</span>
        <span className="block text-12 text-quiet">{detail}</span>
      </span>
      <span className="max-w-30 shrink-0 text-right text-12 text-quiet">
        <span className="block">{load}</span>
        <span className="block">{hours}</span>
      </span>
    </span>
  );
}
