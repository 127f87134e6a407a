import type { RefObject } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { useIsChanging } from '../repair-order/pending-changes.ts';
import { statusAppearance } from '../repair-order/statuses.ts';
import { ChevronDown } from '../ui/row-glyphs.tsx';
import { useFocusAfterChange } from './focus-after-change.ts';
import { useControlTabIndex } from './row-controls.ts';

interface StatusControlProps {
  order: Pick<RepairOrder, 'key' | 'roNumber' | 'status'>;
  /** For users who may not change it. */
  readOnly: boolean;
  control: RefObject<HTMLButtonElement | null>;
  open: boolean;
  toggle(): void;
}

/** Shows the order's status, and opens its picker. Disabled while a change of it is under way. */
export function StatusControl({ order, readOnly, control, open, toggle }: StatusControlProps) {
  const { t } = useTranslation();
  const updating = useIsChanging('status', order.key);
  const tabIndex = useControlTabIndex();
  useFocusAfterChange(control, updating);
  const appearance = statusAppearance[order.status];
  const status = t(`status.${order.status}`);
  const chip = `relative inline-flex h-7 max-w-full items-center gap-1.5 rounded-md px-2 text-13 font-medium group-data-tight/table:gap-1 group-data-tight/table:px-1.5 max-md:h-11 md:pointer-coarse:h-8 md:pointer-coarse:after:absolute md:pointer-coarse:after:-inset-y-1.5 md:pointer-coarse:after:inset-x-0 ${appearance.ink} ${appearance.tint}`;
  if (readOnly) {
    return (
      <span className={chip}>
        <appearance.glyph aria-hidden className="size-4 shrink-0" />
        {status}
      </span>
    );
  }
  const shown = updating ? t('statusPicker.updating') : status;
  return (
    <button
      ref={control}
      type="button"
      tabIndex={tabIndex}
      disabled={updating}
      data-opened-by="status"
      aria-haspopup="dialog"
      aria-expanded={open}
      aria-label={t('statusPicker.label', { number: order.roNumber, status: shown })}
      onClick={toggle}
      className={`group ${chip} hover:brightness-[0.97] disabled:bg-sunken disabled:text-quiet dark:hover:brightness-110`}
    >
      {/* The words of the wait need its room. */}
      {!updating && <appearance.glyph aria-hidden className="size-4 shrink-0" />}
      <span className="truncate">{shown}</span>
      {!updating && (
        <ChevronDown
          aria-hidden
          className="size-3.5 shrink-0 opacity-70 group-data-tight/table:hidden @max-sm:hidden"
        />
      )}
    </button>
  );
}
