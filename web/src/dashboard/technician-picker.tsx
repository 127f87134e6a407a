// Who works on the order: those who are on it, with their removal, and who could be, the best fit first.
import { ArrowLeftRight, Ellipsis, type LucideIcon } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import {
  CandidateLine,
  type CandidateOption,
  useCandidateOptions,
} from '../repair-order/candidate-options.tsx';
import { type OpenDialog, openDialog } from '../repair-order/open-dialog.ts';
import { closePicker } from '../repair-order/open-picker.ts';
import type { AssignedTechnician, RepairOrder } from '../repair-order/order.ts';
import { Picker, type PickerOption } from '../ui/picker.tsx';

interface TechnicianPickerProps {
  order: RepairOrder;
  anchor: HTMLElement;
  concurrentChange: string;
  pick(action: 'assign' | 'unassign', technician: AssignedTechnician): void;
  close(): void;
}

export function TechnicianPicker({ order, anchor, concurrentChange, pick, close }: TechnicianPickerProps) {
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
      concurrentChange={concurrentChange}
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

type TechnicianOption =
  | (CandidateOption & { kind: 'assign' })
  | (PickerOption & { kind: 'unassign'; technician: AssignedTechnician })
  | (PickerOption & { kind: 'dialog'; dialog: OpenDialog; glyph: LucideIcon });

function useOptions(order: RepairOrder): { options: TechnicianOption[] | null; failed: boolean } {
  const { t } = useTranslation();
  const { options: candidates, failed } = useCandidateOptions(order);
  const assigned = order.technicians.map(
    (technician): TechnicianOption => ({
      kind: 'unassign',
      value: `on ${technician.id}`,
      text: technician.name,
      current: true,
      // Nobody is removed by their name alone: somebody may have given them the order a moment before.
      neverFirst: true,
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
      // A name that finds nobody opens none of them.
      neverFirst: true,
      group: '',
      dialog,
      glyph,
    }),
  );
  if (candidates === null && !failed) return { options: null, failed };
  const others = (candidates ?? []).map((option) => ({ ...option, kind: 'assign' as const }));
  return { options: [...assigned, ...others, ...dialogs], failed };
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
  if (option.kind === 'assign') return <CandidateLine option={option} />;
  return (
    <>
      <span className="min-w-0 flex-1 font-medium break-words">{option.technician.name}</span>
      <span className="text-12 text-danger">{t('table.removeShort')}</span>
    </>
  );
}
