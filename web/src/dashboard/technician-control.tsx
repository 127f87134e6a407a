import { useTranslation } from '../i18n/use-translation.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { useIsChanging } from '../repair-order/pending-changes.ts';
import { UserRoundPlus } from '../ui/row-glyphs.tsx';
import { useFocusAfterChange } from './focus-after-change.ts';
import { useControlTabIndex } from './row-controls.ts';
import { TechnicianName } from './technician-name.tsx';
import { usePickerControl } from './use-picker-control.ts';

/** Who works on the order; where nobody does, the call to assign somebody. Opens the picker. */
export function TechnicianControl({ order }: { order: RepairOrder }) {
  const { t } = useTranslation();
  const { control, open, toggle } = usePickerControl('technicians', order.key);
  const updating = useIsChanging('technicians', order.key);
  const tabIndex = useControlTabIndex();
  useFocusAfterChange(control, updating);
  const isFree = order.technician === '';
  const shown = isFree ? `${t('order.unassigned')} ${t('order.assign')}` : order.technician;
  const of = t(isFree ? 'order.ofOrder' : 'order.techniciansOf', { number: order.roNumber });
  return (
    <button
      ref={control}
      type="button"
      tabIndex={tabIndex}
      disabled={updating}
      data-opened-by="dispatch"
      aria-haspopup="dialog"
      aria-expanded={open}
      aria-label={`${shown} ${of}`}
      onClick={toggle}
      className="-my-[3px] -ml-1.5 flex h-6 min-w-0 items-center gap-1.5 rounded-md px-1.5 text-left hover:bg-line disabled:opacity-60 max-md:-my-1 max-md:h-auto max-md:min-h-11 max-md:min-w-11 md:pointer-coarse:relative md:pointer-coarse:min-w-11 md:pointer-coarse:after:absolute md:pointer-coarse:after:-inset-y-2.5 md:pointer-coarse:after:inset-x-0"
    >
      {isFree ? (
        /* From the right: where both words have no room the first goes to a further line, which is not seen. */
        <span className="flex h-5 min-w-0 flex-row-reverse flex-wrap justify-end gap-x-1.5 overflow-hidden leading-5">
          <span className="order-1 text-quiet">{t('order.unassigned')}</span>{' '}
          <span className="inline-flex items-center gap-1 font-medium whitespace-nowrap text-accent">
            <UserRoundPlus aria-hidden className="size-4" />
            {t('order.assign')}
          </span>
        </span>
      ) : (
        <TechnicianName order={order} />
      )}
    </button>
  );
}
