// The picker of a stage; below the stages what the order waits for, and the call to put it on hold.
import { useTranslation } from '../i18n/use-translation.ts';
import { openDialog } from '../repair-order/open-dialog.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { stageAppearance, stageName, useStages } from '../repair-order/stages.ts';
import { Picker, type PickerOption } from '../ui/picker.tsx';
import { CirclePause } from '../ui/row-glyphs.tsx';

interface StageChoiceProps {
  order: Pick<RepairOrder, 'key' | 'roNumber' | 'stage' | 'holds'>;
  anchor: HTMLElement;
  concurrentChange: string;
  pick(stage: { stage: string; name: string }): void;
  close(): void;
}

interface StageOption extends PickerOption {
  /** The colour of a stage; null: it is about a hold. */
  fill: string | null;
  /** The number of the hold; null: a new one. */
  hold: number | null;
}

export function StageChoice({ order, anchor, concurrentChange, pick, close }: StageChoiceProps) {
  const { t } = useTranslation();
  const options = useOptions(order);
  return (
    <Picker
      anchor={anchor}
      label={t('stages.picker.label', { number: order.roNumber })}
      closeLabel={t('details.close')}
      placeholder={t('stages.picker.filter')}
      none={t('picker.none')}
      options={options}
      concurrentChange={concurrentChange}
      pick={({ value, text, fill, hold }) => {
        if (fill !== null) {
          pick({ stage: value, name: text });
          return;
        }
        close();
        openDialog({ kind: 'hold', order: order.key, hold });
      }}
      close={close}
      draw={({ text, fill }) => (
        <>
          {fill === null ? (
            <CirclePause aria-hidden className="size-4 shrink-0 text-quiet" />
          ) : (
            <span aria-hidden className={`mx-0.5 size-3 shrink-0 rounded-full ${fill}`} />
          )}
          {text}
        </>
      )}
    />
  );
}

function useOptions(order: StageChoiceProps['order']): StageOption[] | null {
  const { t, language } = useTranslation();
  const stages = useStages();
  if (stages === null) return null;
  const holds = order.holds.map(
    ({ id, reason }): StageOption => ({
      value: `hold ${id}`,
      text: t('stages.picker.changeHold', { reason: t(`stages.reason.${reason}`) }),
      group: '',
      neverFirst: true,
      fill: null,
      hold: id,
    }),
  );
  return [
    ...stages.current.map(
      (stage): StageOption => ({
        value: stage.id,
        text: stageName(stage, language),
        current: stage.id === order.stage,
        fill: stageAppearance[stage.colour].fill,
        hold: null,
      }),
    ),
    ...holds,
    { value: 'hold', text: t('stages.picker.hold'), group: '', neverFirst: true, fill: null, hold: null },
  ];
}
