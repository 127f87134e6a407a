// Lists the orders of one stage alone; each option says how many are in it.
import { useMemo } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { stageNameById, useStages } from '../repair-order/stages.ts';
import { ordersInTab } from './categories.ts';
import type { DeskView } from './desk-view.ts';
import { countStages } from './stage-filters.ts';

interface StageFilterProps {
  open: ReadonlyMap<number, OpenOrder>;
  view: Pick<DeskView, 'tab' | 'stage' | 'chooseStage'>;
}

export function StageFilter({ open, view: { tab, stage, chooseStage } }: StageFilterProps) {
  const { t, language } = useTranslation();
  const stages = useStages();
  const counts = useMemo(
    () =>
      countStages(
        ordersInTab(
          [...open.values()].map(({ order }) => order),
          tab,
        ),
      ),
    [open, tab],
  );
  if (stages === null) return null;
  const ids = [...stages.byId.values()]
    // A deleted one while orders are still in it.
    .filter(({ id, deleted }) => !deleted || counts.has(id) || id === stage)
    .map(({ id }) => id);
  return (
    <select
      aria-label={t('stages.filter.label')}
      value={stage ?? ''}
      onChange={({ target }) => chooseStage(target.value || null)}
      className={`h-9 w-36 min-w-0 shrink-0 rounded-md border bg-raised px-2 text-13 max-md:h-11 pointer-coarse:h-11 ${stage === null ? 'border-line' : 'border-accent bg-accent-tint font-medium'}`}
    >
      <option value="">{t('stages.filter.all')}</option>
      {ids.map((id) => (
        <option key={id} value={id}>
          {t('stages.filter.option', {
            stage: stageNameById(stages, id, language),
            count: counts.get(id) ?? 0,
          })}
        </option>
      ))}
    </select>
  );
}
