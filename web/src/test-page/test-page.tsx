// For developers who build upon the product: the staff documents as they are stored.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { fetchTestDocuments, putTestDocument } from '../api/users.ts';
import { useUser } from '../auth/use-session.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { Skeleton } from '../ui/skeleton.tsx';

const documents = queryOptions({
  queryKey: ['test-documents'],
  queryFn: ({ signal }) => fetchTestDocuments(signal),
});

export function TestPage() {
  const { t } = useTranslation();
  usePageTitle(t('testPage.title'));
  const client = useQueryClient();
  const user = useUser();
  const { data, error, refetch } = useQuery(documents);
  const written = useMutation({
    mutationFn: putTestDocument,
    onSuccess: () => client.invalidateQueries({ queryKey: documents.queryKey }),
  });
  return (
    <main className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex w-full max-w-[960px] flex-col gap-4 px-4 pt-4 pb-8 max-md:px-3">
        <h1 className="text-20 font-semibold">{t('testPage.title')}</h1>
        <div className="flex flex-wrap items-center justify-between gap-4 rounded-lg border border-line bg-raised px-4 py-3">
          <dl className="grid min-w-0 grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-13">
            <dt className="text-quiet">{t('testPage.uid')}</dt>
            <dd className="font-mono break-all">{data?.uid ?? user.uid}</dd>
            <dt className="text-quiet">{t('testPage.email')}</dt>
            <dd className="break-all">{data?.email ?? user.email}</dd>
          </dl>
          <div className="flex items-center gap-4">
            <p role="status" className="text-13 text-quiet empty:hidden">
              {written.isSuccess && t('testPage.written')}
            </p>
            <Button variant="primary" disabled={written.isPending} onClick={() => written.mutate()}>
              {written.isPending ? t('testPage.writing') : t('testPage.write')}
            </Button>
          </div>
          <p className="w-full text-13 text-quiet">{t('testPage.warning')}</p>
        </div>
        {written.error !== null && (
          <p role="alert" className="rounded-lg bg-danger-tint px-3 py-2 text-13 text-danger">
            {t('testPage.writeFailed', { reason: errorMessage(written.error, t) })}
          </p>
        )}
        {data === undefined && <DocumentsState error={error} retry={() => void refetch()} />}
        {data !== undefined && (
          <>
            <Json title={t('testPage.own')} value={data.own} without={t('testPage.noOwn')} />
            <Json
              title={t('testPage.all')}
              value={data.documents}
              without={data.documents === null ? t('testPage.notShown') : t('testPage.none')}
            />
          </>
        )}
      </div>
    </main>
  );
}

/** In place of the documents: that they are loading, or why they are not there. */
function DocumentsState({ error, retry }: { error: Error | null; retry(): void }) {
  const { t } = useTranslation();
  return error === null ? (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">{t('testPage.loading')}</span>
      <Skeleton className="h-40 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  ) : (
    <div className="flex flex-wrap items-center gap-3 rounded-lg bg-danger-tint py-1.5 pr-1.5 pl-3 text-13 text-danger">
      <p role="alert" className="flex-1">
        {t('testPage.failed')}. {errorMessage(error, t)}
      </p>
      <Button onClick={retry} className="h-8">
        {t('testPage.retry')}
      </Button>
    </div>
  );
}

/** `without`: the text shown when there is none. */
function Json({ title, value, without }: { title: string; value: object | null; without: string }) {
  const id = useId();
  const isNothing = value === null || (Array.isArray(value) && value.length === 0);
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-1.5 text-14 font-semibold">
        {title}
      </h2>
      {isNothing ? (
        <p className="text-13 text-quiet">{without}</p>
      ) : (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
          tabIndex={0}
          className="max-h-[60vh] overflow-auto rounded-lg border border-line bg-raised px-4 py-3 font-mono text-12"
        >
          {JSON.stringify(value, null, 2)}
        </pre>
      )}
    </section>
  );
}
