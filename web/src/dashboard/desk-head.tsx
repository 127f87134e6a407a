// The head of the desk: its figures, search, filters and tools, each with what it needs of the view and the orders.
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../i18n/use-translation.ts';
import { cachedStages, stageNameById } from '../repair-order/stages.ts';
import { shop } from '../shop/shop.ts';
import { useLatest } from '../ui/latest.ts';
import { ViewsMenu } from '../views/views-menu.tsx';
import { shownColumns } from './column-layout.ts';
import type { DeskOrders } from './desk-orders.ts';
import type { DeskSearch } from './desk-search.ts';
import { type DeskView, viewQuery } from './desk-view.ts';
import { DueFilterButtons } from './due-filter.tsx';
import { ListHead } from './list-head.tsx';
import { DeskPresentation, DeskStageFilter } from './stage-parts.tsx';
import { SummaryCards } from './summary-cards.tsx';
import { useFigures } from './summary-figures.ts';
import { NarrowTools, SearchBox, Tools } from './toolbar.tsx';

interface DeskHeadProps {
  narrow: boolean;
  /** The shop uses stages, or will turn out to in a moment. */
  hasStages: boolean;
  view: DeskView;
  orders: DeskOrders;
  search: DeskSearch;
}

export function DeskHead({ narrow, hasStages, view, orders, search }: DeskHeadProps) {
  const { loaded, found, shown, counts, moreInAll } = orders;
  const { showAll } = search;
  const exportNow = useListExport(view, orders);
  const chooseLayout = useLatest(view.chooseLayout);
  const chooseDensity = useLatest(view.chooseDensity);
  return (
    <ListHead
      narrow={narrow}
      crowded={hasStages}
      figures={
        <SummaryCards
          tab={view.tab}
          shown={loaded ? shown.length : null}
          all={counts[view.tab]}
          waiting={loaded ? counts.waiting : null}
          figures={useFigures()}
        />
      }
      dueFilter={
        <>
          <DueFilterButtons counts={loaded ? orders.due : null} chosen={view.due} choose={view.chooseDue} />
          {hasStages && <DeskStageFilter open={orders.open} view={view} />}
        </>
      }
      search={
        <SearchBox
          crowded={hasStages}
          typed={view.typed}
          type={view.type}
          clear={search.clear}
          goToFirst={search.goToFirst}
          input={search.input}
          hits={moreInAll !== null && showAll ? { here: found.length, all: moreInAll, showAll } : null}
        />
      }
      tools={
        <>
          {hasStages && (
            <DeskPresentation
              presentation={view.presentation}
              choose={view.choosePresentation}
              narrow={narrow}
            />
          )}
          <ViewsMenu query={viewQuery(view)} choose={view.chooseView} />
          {narrow ? (
            <NarrowTools exportList={exportNow} />
          ) : (
            <Tools
              crowded={hasStages}
              layout={view.layout}
              chooseLayout={chooseLayout}
              density={view.density}
              chooseDensity={chooseDensity}
              presentation={view.presentation}
              exportList={exportNow}
            />
          )}
        </>
      }
    />
  );
}

/** Saves the list that is on screen, whichever that is then. */
function useListExport(view: DeskView, { found }: DeskOrders): () => void {
  const { t, language } = useTranslation();
  const client = useQueryClient();
  const exportList = async () => {
    const [{ fileName, toCsv }, { saveCsv }] = await Promise.all([
      import('./csv.ts'),
      import('../ui/csv.ts'),
    ]);
    const stages = cachedStages(client);
    const stageNameOf = (id: string) => (stages === null ? id : stageNameById(stages, id, language));
    const csv = toCsv(found, shownColumns(view.layout), t, shop.timeZone, stageNameOf);
    saveCsv(fileName(view.tab, Date.now(), shop.timeZone), csv);
  };
  return useLatest(() => void exportList());
}
