import { useTranslation } from '../i18n/use-translation.ts';
import { Skeleton } from '../ui/skeleton.tsx';

const LEVELS = [3, 5, 4];

export function LoadingOrganisation() {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-2.5">
      <p role="status" className="sr-only">
        {t('organisation.loading')}
      </p>
      {LEVELS.map((technicians) => (
        <div key={technicians} className="skeleton rounded-lg border border-line bg-raised p-3">
          <Skeleton className="w-32" />
          <div className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))] gap-1.5">
            {Array.from({ length: technicians }, (_, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
              <Skeleton key={at} className="h-13 w-full" />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}
