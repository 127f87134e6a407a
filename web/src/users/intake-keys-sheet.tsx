// The keys by which other programs bring repair orders in: made here, listed, and revoked.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { fetchIntakeKeys, type IntakeKey, revokeIntakeKey } from '../api/intake-keys.ts';
import { failureDetail, failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { LoadingLines, LoadState } from '../ui/load-state.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { showToast } from '../ui/toaster.ts';
import { NewIntakeKey } from './new-intake-key.tsx';

const intakeKeys = queryOptions({
  queryKey: ['intake-keys'],
  queryFn: ({ signal }) => fetchIntakeKeys(signal),
});

export function IntakeKeysSheet({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: keys, error, isFetching, refetch } = useQuery(intakeKeys);
  const heading = useId();
  const list = useRef<HTMLHeadingElement>(null);
  const [keyToRevoke, askToRevoke] = useState<IntakeKey | null>(null);
  return (
    <Sheet open close={close} title={t('users.keys.title')} closeLabel={t('users.keys.close')}>
      <div className="flex flex-col gap-6">
        <p className="text-13 text-pretty text-quiet">{t('users.keys.intro')}</p>
        <NewIntakeKey
          reload={() => client.invalidateQueries(intakeKeys)}
          done={() => list.current?.focus()}
        />
        <section aria-labelledby={heading} className="flex flex-col gap-2">
          <h3 id={heading} ref={list} tabIndex={-1} className="text-14 font-semibold outline-none">
            {t('users.keys.list')}
          </h3>
          <LoadState
            isLoaded={keys !== undefined}
            {...failureReason(isFetching ? null : error, t)}
            failed={t('users.keys.failed.load')}
            stale={(reason) => t('users.keys.stale', { reason })}
            retryLabel={t('users.retry')}
            retry={() => void refetch()}
            loading={<LoadingLines label={t('users.keys.loading')} />}
          >
            {keys?.length === 0 ? (
              <p className="rounded-lg border border-dashed border-line-strong px-3 py-4 text-13 text-quiet">
                {t('users.keys.none')}
              </p>
            ) : (
              <ul
                aria-labelledby={heading}
                className="flex flex-col divide-y divide-line rounded-lg border border-line"
              >
                {keys?.map((key) => (
                  <KeyLine key={key.id} intakeKey={key} revoke={() => askToRevoke(key)} />
                ))}
              </ul>
            )}
          </LoadState>
          <p className="text-12 text-quiet">{t('users.keys.revokedHint')}</p>
        </section>
      </div>
      {keyToRevoke !== null && (
        <RevokeQuestion
          intakeKey={keyToRevoke}
          close={() => askToRevoke(null)}
          fallback={() => list.current}
        />
      )}
    </Sheet>
  );
}

function KeyLine({ intakeKey, revoke }: { intakeKey: IntakeKey; revoke: () => void }) {
  const { t } = useTranslation();
  const clock = useClock();
  const { name, createdBy } = intakeKey;
  const createdAt = Date.parse(intakeKey.createdAt);
  const lastUsedAt = intakeKey.lastUsedAt === null ? null : Date.parse(intakeKey.lastUsedAt);
  return (
    <li className="flex items-start gap-3 py-2.5 pr-2 pl-3">
      <KeyRound aria-hidden className="mt-0.5 size-4 shrink-0 text-quiet" />
      <p className="min-w-0 flex-1">
        <span className="block text-14 font-medium wrap-anywhere">{name}</span>
        <span
          className="block text-13 text-quiet"
          title={lastUsedAt === null ? undefined : clock.full(lastUsedAt)}
        >
          {lastUsedAt === null
            ? t('users.keys.neverUsed')
            : t('users.keys.lastUsed', { time: clock.short(lastUsedAt) })}
        </span>
        <span className="block text-12 wrap-anywhere text-quiet" title={clock.full(createdAt)}>
          {t('users.keys.madeBy', { time: clock.dated(createdAt), email: createdBy })}
        </span>
      </p>
      <Button
        aria-label={t('users.keys.revokeOf', { name })}
        onClick={revoke}
        className="h-8 shrink-0 max-md:h-11"
      >
        {t('users.keys.revoke')}
      </Button>
    </li>
  );
}

interface RevokeQuestionProps {
  intakeKey: IntakeKey;
  close(): void;
  fallback(): HTMLElement | null;
}

function RevokeQuestion({ intakeKey: { id, name }, close, fallback }: RevokeQuestionProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { isPending, mutate } = useMutation({
    mutationFn: () => revokeIntakeKey(id),
    onSuccess: () => {
      client.setQueryData(intakeKeys.queryKey, (keys) => keys?.filter((key) => key.id !== id));
      showToast({ text: t('users.keys.revoked', { name }) });
    },
    onError: (failure) =>
      showToast({
        tone: 'destructive',
        text: t('users.keys.failed.revoke', { name }),
        ...failureDetail(failure, t),
      }),
    onSettled: () => {
      void client.invalidateQueries(intakeKeys);
      close();
    },
  });
  return (
    <ConfirmDialog
      title={t('users.keys.question', { name })}
      detail={t('users.keys.questionDetail')}
      verb={t(isPending ? 'users.keys.revoking' : 'users.keys.revoke')}
      cancelLabel={t('users.keys.cancel')}
      busy={isPending}
      confirm={() => mutate()}
      close={close}
      fallback={fallback}
    />
  );
}
