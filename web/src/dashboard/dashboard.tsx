// The live desk: categories, figures, search and the table of open repair orders.
import { useQuery } from '@tanstack/react-query';
import { Tabs } from 'radix-ui';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../auth/use-session.ts';
import { sentence } from '../i18n/sentence.ts';
import { DetailsDialog } from '../repair-order/details-dialog.tsx';
import { useListFailure } from '../repair-order/freshness.ts';
import { openOrders } from '../repair-order/live.ts';
import type { OpenOrder } from '../repair-order/picture.ts';
import { Cards } from './cards.tsx';
import { useFigures } from './figures.ts';
import { Rail } from './rail.tsx';
import { OrderCards } from './row-cards.tsx';
import { matching } from './search.ts';
import { EmptyList, FailedList, LoadingList, StaleBanner } from './states.tsx';
import { OrdersTable } from './table.tsx';
import { countTabs, inTab, isTab, sorted } from './tabs.ts';
import { DensityToggle, SearchBox } from './toolbar.tsx';
import { useDensity, useNarrow, useOpenOrder, useSearch, useTab } from './view.ts';

export function Dashboard() {
  const { t } = useTranslation();
  const [tab, chooseTab] = useTab();
  const { typed, type, searched } = useSearch();
  const [density, chooseDensity] = useDensity();
  const [openOrder, closeOrder] = useOpenOrder();
  const narrow = useNarrow();
  const mayChangeStatus = usePermission('change-status');
  const { data: picture, isFetching, refetch } = useQuery(openOrders);
  const failure = useListFailure();
  const figures = useFigures();

  const all = useMemo(() => [...(picture?.open.values() ?? [])].map(({ order }) => order), [picture]);
  const counts = useMemo(() => countTabs(all), [all]);
  const shown = useMemo(
    () =>
      sorted(inTab(matching(all, searched), tab), tab)
        .map((order) => picture?.open.get(order.key))
        .filter((known): known is OpenOrder => known !== undefined),
    [all, searched, tab, picture],
  );
  const loaded = picture !== undefined && picture.listSeq >= 0;
  const reason = failure === null ? null : sentence(failure, t);
  // Another list begins at its top.
  const list = `${tab} ${searched}`;
  const retry = () => void refetch();

  return (
    <Tabs.Root
      value={tab}
      onValueChange={(value) => {
        if (isTab(value)) chooseTab(value);
      }}
      orientation={narrow ? 'horizontal' : 'vertical'}
      asChild
    >
      <main className="flex min-h-0 flex-1 max-md:flex-col">
        <h1 className="sr-only">{t('dashboard.title')}</h1>
        <Rail counts={counts} narrow={narrow} />
        <Tabs.Content
          value={tab}
          tabIndex={-1}
          className="flex min-h-0 min-w-0 flex-1 flex-col gap-3 px-4 pt-3 pb-4 max-md:gap-2 max-md:px-3 max-md:pb-0"
        >
          <Cards
            tab={tab}
            shown={loaded ? shown.length : null}
            waiting={loaded ? counts.waiting : null}
            figures={figures}
          />
          <div className="flex shrink-0 items-center justify-between gap-3">
            <SearchBox typed={typed} type={type} />
            {!narrow && <DensityToggle density={density} choose={chooseDensity} />}
          </div>
          {loaded && reason !== null && <StaleBanner reason={reason} retrying={isFetching} retry={retry} />}
          {!loaded && reason !== null ? (
            <FailedList reason={reason} retrying={isFetching} retry={retry} />
          ) : !loaded ? (
            <LoadingList />
          ) : shown.length === 0 ? (
            <EmptyList />
          ) : narrow ? (
            <OrderCards key={list} orders={shown} mayChangeStatus={mayChangeStatus} />
          ) : (
            <OrdersTable key={list} orders={shown} density={density} mayChangeStatus={mayChangeStatus} />
          )}
        </Tabs.Content>
        <DetailsDialog roNumber={openOrder} close={closeOrder} />
      </main>
    </Tabs.Root>
  );
}
