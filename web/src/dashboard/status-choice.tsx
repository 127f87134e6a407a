import { useTranslation } from '../i18n/use-translation.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { type DisplayedStatus, displayedStatuses, statusAppearance } from '../repair-order/statuses.ts';
import { Picker } from '../ui/picker.tsx';

interface StatusChoiceProps {
  order: Pick<RepairOrder, 'roNumber' | 'status'>;
  anchor: HTMLElement;
  concurrentChange: string;
  pick(status: DisplayedStatus): void;
  close(): void;
}

export function StatusChoice({ order, anchor, concurrentChange, pick, close }: StatusChoiceProps) {
  const { t } = useTranslation();
  return (
    <Picker
      anchor={anchor}
      label={t('statusPicker.menu', { number: order.roNumber })}
      closeLabel={t('details.close')}
      placeholder={t('statusPicker.filter')}
      none={t('picker.none')}
      options={displayedStatuses.map((status) => ({
        value: status,
        status,
        text: t(`status.${status}`),
        current: status === order.status,
      }))}
      concurrentChange={concurrentChange}
      pick={({ status }) => pick(status)}
      close={close}
      draw={({ status, text }) => {
        const appearance = statusAppearance[status];
        return (
          <>
            <appearance.glyph aria-hidden className={`size-4 shrink-0 ${appearance.ink}`} />
            {text}
          </>
        );
      }}
    />
  );
}
