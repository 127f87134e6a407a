import type { UseQueryResult } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';

/** `text`: what could not be loaded; the query's error says why. */
export function LoadFailed({
  text,
  query,
}: {
  text: string;
  query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>;
}) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <CloudOff aria-hidden className="size-5 shrink-0 text-danger" />
      <p role="alert" className="flex-1 text-13">
        <span className="font-medium">{text}</span>
        <span className="block text-quiet">{errorMessage(query.error, t)}</span>
      </p>
      <Button onClick={() => void query.refetch()} disabled={query.isFetching} className="max-md:h-11">
        {t('account.retry')}
      </Button>
    </div>
  );
}
