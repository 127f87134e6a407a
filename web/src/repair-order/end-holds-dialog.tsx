// Holds keep an order in its stage: whether they end, so that it moves.
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { CirclePause } from '../ui/row-glyphs.tsx';
import { useChanges } from './change-execution.ts';
import { decidedField } from './choice.ts';
import { DecisionDialog } from './decision-dialog.tsx';
import { useDialogOrders } from './dialog-orders.ts';
import { holdText } from './hold-text.ts';

interface EndHoldsDialogProps {
  order: number;
  stage: string;
  /** What the stage is called. */
  name: string;
  close(): void;
}

export function EndHoldsDialog({ order: roNumber, stage, name, close }: EndHoldsDialogProps) {
  const { t } = useTranslation();
  const clock = useClock();
  const changes = useChanges();
  const orders = useDialogOrders([roNumber], decidedField.holds);
  const [only] = orders.all;
  const order = only?.original.order;
  return (
    <DecisionDialog
      title={t('stages.endHolds.title', { number: order?.roNumber ?? roNumber, stage: name })}
      orders={orders}
      verb={t('stages.endHolds.verb')}
      doing={t('stages.endHolds.doing')}
      ready
      send={([version]) => {
        if (version === undefined) throw new Error('There is nothing to send.');
        return changes.send(version, { field: 'stage', stage, name, endHolds: true });
      }}
      takeTheirs={close}
      close={close}
    >
      <p className="text-13">{t('stages.endHolds.text')}</p>
      <ul className="flex flex-col gap-1.5">
        {(order?.holds ?? []).map((hold) => (
          <li key={hold.id} className="flex items-center gap-2 text-14 font-medium">
            <CirclePause aria-hidden className="size-4 shrink-0 text-quiet" />
            <span className="min-w-0 break-words">
              {holdText(hold, t, clock)}
              {hold.note !== undefined && hold.note !== '' && (
                <span className="block text-12 font-normal text-quiet">{hold.note}</span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </DecisionDialog>
  );
}
