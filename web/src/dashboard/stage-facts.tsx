// Where an order stands and what it waits for, among its details.
import { useTranslation } from '../i18n/use-translation.ts';
import { HeaderFact } from '../repair-order/header-facts.tsx';
import { holdText, isHoldDue } from '../repair-order/hold-text.ts';
import { openDialog } from '../repair-order/open-dialog.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import type { OrderPermissions } from '../repair-order/order-actions.ts';
import { usePromise } from '../repair-order/promises.ts';
import { useStages } from '../repair-order/stages.ts';
import { useClock } from '../shop/clock.ts';
import { CirclePause } from '../ui/row-glyphs.tsx';
import { PromiseFact } from './promise-flag.tsx';
import { StageControl, TimeInStage } from './stage-cell.tsx';

interface StageFactsProps {
  order: RepairOrder;
  may: OrderPermissions;
}

export function StageFacts({ order, may }: StageFactsProps) {
  const { t } = useTranslation();
  const promise = usePromise(order.key);
  if (useStages() === null) return null;
  const readOnly = may.stage !== true;
  return (
    <>
      <HeaderFact name={t('column.stage')}>
        <span className="flex flex-wrap items-center gap-x-3">
          <StageControl order={order} readOnly={readOnly} />
          <TimeInStage order={order} />
        </span>
      </HeaderFact>
      {(order.holds.length > 0 || !readOnly) && (
        <HeaderFact name={t('stages.hold.list')}>
          <Holds order={order} readOnly={readOnly} />
        </HeaderFact>
      )}
      {promise !== null && (
        <HeaderFact name={t('stages.promise.label')}>
          <PromiseFact order={order} promise={promise} />
        </HeaderFact>
      )}
    </>
  );
}

const buttonClasses =
  'h-8 rounded-md border border-line px-2.5 text-13 font-medium hover:bg-sunken max-md:h-11 pointer-coarse:h-11';

function Holds({ order, readOnly }: { order: RepairOrder; readOnly: boolean }) {
  const { t } = useTranslation();
  const clock = useClock();
  return (
    <span className="flex flex-col items-start gap-1.5">
      {order.holds.map((hold) => {
        const text = holdText(hold, t, clock);
        return (
          <span key={hold.id} className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <span className="min-w-0">
              <span
                className={`inline-flex items-center gap-1.5 font-medium ${isHoldDue(hold, clock.now) ? 'text-stale' : ''}`}
              >
                <CirclePause aria-hidden className="size-4 shrink-0" />
                {text}
              </span>
              <span className="block text-12 text-quiet">
                {[
                  t('stages.cell.acts', { actor: t(`stages.actor.${hold.whoActs}`) }),
                  t('stages.hold.since', { time: clock.short(Date.parse(hold.since)) }),
                ].join(' · ')}
              </span>
              {hold.note !== undefined && hold.note !== '' && (
                <span className="block text-12 break-words">{hold.note}</span>
              )}
            </span>
            {!readOnly && (
              <button
                type="button"
                aria-label={t('stages.cell.holdOf', { number: order.roNumber, hold: text })}
                onClick={() => openDialog({ kind: 'hold', order: order.key, hold: hold.id })}
                className={buttonClasses}
              >
                {t('stages.hold.change')}
              </button>
            )}
          </span>
        );
      })}
      {!readOnly && (
        <button
          type="button"
          onClick={() => openDialog({ kind: 'hold', order: order.key, hold: null })}
          className={buttonClasses}
        >
          {t('stages.hold.add')}
        </button>
      )}
    </span>
  );
}
