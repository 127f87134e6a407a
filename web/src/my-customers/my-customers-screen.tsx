// Whom an advisor is to call, and why. For users who call customers, in a shop that uses stages.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { UserRound } from 'lucide-react';
import { useId } from 'react';
import type { CustomersToCall } from '../api/customer-calls.ts';
import { useUser } from '../auth/use-session.ts';
import { failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { keepPreferences, preferencesOf } from '../preferences/preferences.ts';
import { StagesScreen } from '../repair-order/stages-screen.tsx';
import { useOrders } from '../repair-order/use-orders.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/form-field.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { MessagePanel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { CustomerList } from './customer-list.tsx';
import { customersOf, useLiveCustomers, useRecordCall } from './customers.ts';

/** Among the preferences: whose customers they are, as orders name the advisor. */
const ADVISOR = 'calls.advisor';

export function MyCustomersScreen() {
  return (
    <StagesScreen needs="call-customers" width="max-w-[960px]" loading={<Loading />}>
      {() => <MyCustomers />}
    </StagesScreen>
  );
}

/** Null: they have not chosen; who is called as an advisor need not. */
function useChosenAdvisor() {
  const client = useQueryClient();
  const { uid } = useUser();
  const { data, isPending } = useQuery(preferencesOf(uid));
  const chosen = data?.[ADVISOR];
  return {
    chosen: typeof chosen === 'string' && chosen !== '' ? chosen : null,
    isKnown: !isPending,
    choose: (advisor: string) => keepPreferences(client, uid, { [ADVISOR]: advisor }),
  };
}

function MyCustomers() {
  const { t } = useTranslation();
  usePageTitle(t('myCustomers.title'));
  useLiveCustomers();
  const { chosen, isKnown, choose } = useChosenAdvisor();
  const { data, error, refetch } = useQuery({
    ...customersOf(chosen),
    enabled: isKnown,
    placeholderData: keepPreviousData,
  });
  const cache = useOrders();
  const call = useRecordCall(chosen);
  const advisor = data?.advisor ?? chosen;
  // Of an order that was closed since, nobody is to be called.
  const customers = (data?.result ?? []).flatMap((customer) => {
    const order = cache?.open.get(customer.roNumber)?.order;
    return order === undefined ? [] : [{ customer, order }];
  });
  return (
    <>
      <Header advisor={advisor} all={data} choose={choose} />
      <LoadState
        isLoaded={data !== undefined && cache !== undefined && cache.listSeq >= 0}
        {...failureReason(error, t)}
        failed={t('stages.calls.failed')}
        stale={(reason) => t('stages.calls.stale', { reason })}
        retryLabel={t('live.retry')}
        retry={() => void refetch()}
        loading={<Loading />}
      >
        {advisor === null ? (
          <WhoAreYou all={data} choose={choose} />
        ) : (
          <CustomerList customers={customers} call={call} />
        )}
      </LoadState>
    </>
  );
}

interface AdvisorProps {
  all: CustomersToCall | undefined;
  choose(advisor: string): void;
}

function Header({ advisor, all, choose }: AdvisorProps & { advisor: string | null }) {
  const { t } = useTranslation();
  const id = useId();
  const advisors = all?.advisors ?? [];
  return (
    <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <h1 className="text-20 font-semibold max-md:text-16">{t('myCustomers.title')}</h1>
      {advisor !== null && (
        <div className="flex min-w-0 items-center gap-2 text-13 max-md:w-full">
          <label htmlFor={id} className="shrink-0 text-quiet">
            {t('stages.calls.iAm')}
          </label>
          <Select id={id} small value={advisor} onChange={({ target }) => choose(target.value)}>
            {advisors.every(({ name }) => name !== advisor) && <option value={advisor}>{advisor}</option>}
            {advisors.map(({ name, orders }) => (
              <option key={name} value={name}>
                {t('stages.calls.advisorOrders', { name, count: orders })}
              </option>
            ))}
          </Select>
        </div>
      )}
    </div>
  );
}

/** Nothing links a user to the advisor whom orders name: whose name is another one says so once. */
function WhoAreYou({ all, choose }: AdvisorProps) {
  const { t } = useTranslation();
  const advisors = all?.advisors ?? [];
  if (advisors.length === 0) {
    return (
      <MessagePanel
        glyph={UserRound}
        text={t('stages.calls.noAdvisors')}
        hint={t('stages.calls.noAdvisorsHint')}
      />
    );
  }
  return (
    <MessagePanel glyph={UserRound} text={t('stages.calls.who')} hint={t('stages.calls.whoHint')}>
      <ul className="grid w-full max-w-xl gap-2 sm:grid-cols-2">
        {advisors.map(({ name, orders }) => (
          <li key={name} className="grid">
            <Button onClick={() => choose(name)} className="justify-start text-left normal-nums max-md:h-11">
              {t('stages.calls.advisorOrders', { name, count: orders })}
            </Button>
          </li>
        ))}
      </ul>
    </MessagePanel>
  );
}

const rows = ['w-40', 'w-56', 'w-48'];

function Loading() {
  const { t } = useTranslation();
  return (
    <div role="status" className="flex flex-col gap-2">
      <span className="sr-only">{t('page.loading')}</span>
      {rows.map((width) => (
        <div key={width} className="flex flex-col gap-2 rounded-lg border border-line bg-raised px-4 py-3">
          <Skeleton className={width} />
          <Skeleton className="w-72" />
        </div>
      ))}
    </div>
  );
}
