// Lists the orders of one stage alone, or those whose hold is due; each option says how many there are. Holds that are due
// stand beside it as a button of their own.
import { useMemo } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { stageNameById, useStages } from '../repair-order/stages.ts';
import { useClock } from '../shop/clock.ts';
import { CirclePause } from '../ui/row-glyphs.tsx';
import { ordersInTab } from './categories.ts';
import type { DeskView } from './desk-view.ts';
import { countStages, DUE_HOLDS, hasDueHold } from './stage-filters.ts';

interface StageFilterProps {
  open: ReadonlyMap<number, OpenOrder>;
  view: Pick<DeskView, 'tab' | 'stage' | 'chooseStage'>;
}

export function StageFilter({ open, view: { tab, stage, chooseStage } }: StageFilterProps) {
  const { t, language } = useTranslation();
  const stages = useStages();
  const { now } = useClock();
  const orders = useMemo(
    () =>
      ordersInTab(
        [...open.values()].map(({ order }) => order),
        tab,
      ),
    [open, tab],
  );
  const counts = useMemo(() => countStages(orders), [orders]);
  const due = useMemo(() => orders.filter((order) => hasDueHold(order, now)).length, [orders, now]);
  if (stages === null) return null;
  const ids = [...stages.byId.values()]
    // A deleted one while orders are still in it.
    .filter(({ id, deleted }) => !deleted || counts.has(id) || id === stage)
    .map(({ id }) => id);
  return (
    <>
      <select
        aria-label={t('stages.filter.label')}
        value={stage ?? ''}
        onChange={({ target }) => chooseStage(target.value || null)}
        className={`h-9 w-36 max-xl:w-32 min-w-0 shrink-0 rounded-md border bg-raised px-2 text-13 text-ellipsis max-xl:px-1 max-md:h-11 pointer-coarse:h-11 ${stage === null ? 'border-line' : 'border-accent bg-accent-tint font-medium'}`}
      >
        <option value="">{t('stages.filter.all')}</option>
        <option value={DUE_HOLDS}>{t('stages.filter.dueOption', { count: due })}</option>
        {ids.map((id) => (
          <option key={id} value={id}>
            {t('stages.filter.option', {
              stage: stageNameById(stages, id, language),
              count: counts.get(id) ?? 0,
            })}
          </option>
        ))}
      </select>
      {(due > 0 || stage === DUE_HOLDS) && (
        <DueHolds
          count={due}
          isChosen={stage === DUE_HOLDS}
          press={() => chooseStage(stage === DUE_HOLDS ? null : DUE_HOLDS)}
        />
      )}
    </>
  );
}

interface DueHoldsProps {
  count: number;
  isChosen: boolean;
  press(): void;
}

function DueHolds({ count, isChosen, press }: DueHoldsProps) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      title={t('stages.filter.dueHow')}
      onClick={press}
      className="inline-flex h-9 shrink-0 items-center gap-1.5 rounded-md border border-line bg-raised px-2.5 text-13 whitespace-nowrap hover:bg-sunken aria-pressed:border-stale aria-pressed:bg-sunken aria-pressed:font-medium max-md:h-11 pointer-coarse:h-11"
    >
      <CirclePause aria-hidden className="size-4 shrink-0 text-stale" />
      {/* Without room for the words the line would be two; the list beside it has them. */}
      <span className="max-xl:sr-only">{t('stages.filter.due')}</span>{' '}
      <span className="font-semibold text-stale">{count}</span>
    </button>
  );
}
