// Who works on the order: those who are on it, with their removal, and who could be, the best fit first.
import { useQuery } from '@tanstack/react-query';
import { ArrowLeftRight, Ellipsis, type LucideIcon } from 'lucide-react';
import { useMemo } from 'react';
import type { Technician } from '../api/repair-orders.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { openOrders } from '../repair-order/live-orders.ts';
import { type OpenDialog, openDialog } from '../repair-order/open-dialog.ts';
import { closePicker } from '../repair-order/open-picker.ts';
import type { AssignedTechnician, RepairOrder } from '../repair-order/order.ts';
import { loadsOf, technicians } from '../repair-order/technician-choice.tsx';
import { fitTexts, isStrength, reasonText, useRanking } from '../repair-order/technician-ranking.ts';
import { Picker, type PickerOption } from '../ui/picker.tsx';

interface TechnicianPickerProps {
  order: RepairOrder;
  anchor: HTMLElement;
  news: string;
  pick(action: 'assign' | 'unassign', technician: AssignedTechnician): void;
  close(): void;
}

export function TechnicianPicker({ order, anchor, news, pick, close }: TechnicianPickerProps) {
  const { t } = useTranslation();
  const { options, failed } = useOptions(order);
  return (
    <Picker
      anchor={anchor}
      wide
      label={t('picker.technicians', { number: order.roNumber })}
      closeLabel={t('details.close')}
      placeholder={t('decision.search')}
      loading={t('decision.loadingTechnicians')}
      none={t(failed ? 'toast.techniciansFailed' : 'decision.noMatch')}
      options={options}
      start={options?.find((option) => option.kind === 'assign')?.value}
      news={news}
      close={close}
      pick={(option) => {
        if (option.kind !== 'dialog') return pick(option.kind, option.technician);
        // The dialog returns the focus to it.
        anchor.focus({ preventScroll: true });
        closePicker();
        openDialog(option.dialog);
      }}
      draw={(option) => <OptionLine option={option} />}
    />
  );
}

type TechnicianOption = PickerOption &
  (
    | { kind: 'assign'; technician: AssignedTechnician; detail: string; load: string; hours: string }
    | { kind: 'unassign'; technician: AssignedTechnician }
    | { kind: 'dialog'; dialog: OpenDialog; glyph: LucideIcon }
  );

function useOptions(order: RepairOrder): { options: TechnicianOption[] | null; failed: boolean } {
  const { t } = useTranslation();
  const others = useCandidates(order);
  const { isError, data } = useQuery(technicians);
  const assigned = order.technicians.map(
    (technician): TechnicianOption => ({
      kind: 'unassign',
      value: `on ${technician.id}`,
      text: technician.name,
      current: true,
      group: t('picker.assigned'),
      technician,
    }),
  );
  const dialogs = dialogsFor(order).map(
    ({ dialog, glyph, name }): TechnicianOption => ({
      kind: 'dialog',
      value: name,
      text: t(name),
      always: true,
      group: '',
      dialog,
      glyph,
    }),
  );
  const failed = isError && data === undefined;
  if (others === null && !failed) return { options: null, failed };
  return { options: [...assigned, ...(others ?? []), ...dialogs], failed };
}

function dialogsFor({ key, technicians: on }: RepairOrder) {
  if (on.length === 0) {
    const dialog: OpenDialog = { kind: 'dispatch', orders: [key] };
    return [{ dialog, glyph: Ellipsis, name: 'picker.more' as const }];
  }
  return [
    {
      dialog: { kind: 'reassign' as const, order: key },
      glyph: ArrowLeftRight,
      name: 'picker.reassign' as const,
    },
    { dialog: { kind: 'add' as const, order: key }, glyph: Ellipsis, name: 'picker.more' as const },
  ];
}

/** The technicians who are not on the order; null while they are loading. */
function useCandidates(order: RepairOrder): TechnicianOption[] | null {
  const { t, locale } = useTranslation();
  const roNumbers = useMemo(() => [order.key], [order.key]);
  const ranking = useRanking(roNumbers);
  const { data } = useQuery(technicians);
  const { data: cache } = useQuery(openOrders);
  const loads = useMemo(() => loadsOf(cache), [cache]);
  if (data === undefined || !ranking.settled) return null;
  const { placeOf } = ranking;
  const isFree = ({ idTechnician }: Technician) => !order.technicians.some(({ id }) => id === idTechnician);
  const free = data.filter(isFree);
  const sorted =
    placeOf === null ? free : free.toSorted((a, b) => placeOf(a.idTechnician) - placeOf(b.idTechnician));
  return sorted.map(({ idTechnician: id, displayName: name, specialty }) => {
    const reasons = ranking.reasonsFor(id);
    const isLoad = ({ kind }: (typeof reasons)[number]) => kind === 'load';
    // What speaks for somebody comes first.
    const why = reasonText(
      [...reasons.filter(isStrength), ...reasons.filter((one) => !isStrength(one) && !isLoad(one))],
      t,
      locale,
    );
    return {
      kind: 'assign',
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
}

function OptionLine({ option }: { option: TechnicianOption }) {
  const { t } = useTranslation();
  if (option.kind === 'dialog') {
    return (
      <>
        <option.glyph aria-hidden className="size-4 shrink-0 text-quiet" />
        {option.text}
      </>
    );
  }
  const { name } = option.technician;
  if (option.kind === 'unassign') {
    return (
      <>
        <span className="min-w-0 flex-1 font-medium break-words">{name}</span>
        <span className="text-12 text-danger">{t('table.removeShort')}</span>
      </>
    );
  }
  return (
    <span className="flex min-w-0 flex-1 items-center gap-3 py-1">
      <span className="min-w-0 flex-1">
        <span className="block font-medium break-words">{name}</span>
        <span className="block text-12 text-quiet">{option.detail}</span>
      </span>
      <span className="max-w-30 shrink-0 text-right text-12 text-quiet">
        <span className="block">{option.load}</span>
        <span className="block">{option.hours}</span>
      </span>
    </span>
  );
}
