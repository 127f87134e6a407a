// What the product says of itself: which build the server is, its license, how the server does, and what it is made of.
import { useQuery } from '@tanstack/react-query';
import { fetchAbout } from '../api/about.ts';
import { failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Logo } from '../ui/logo.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { FailedLine } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Fact } from './fact.tsx';
import { NoticesSection } from './notices-section.tsx';
import { ServerSection } from './server-section.tsx';

export function AboutScreen() {
  const { t } = useTranslation();
  usePageTitle(t('bar.about'));
  return (
    <main className="flex-1 overflow-y-auto">
      <div className="mx-auto flex w-full max-w-[920px] flex-col px-6 py-8 max-md:px-4 max-md:py-5">
        <header className="flex items-start gap-4 pb-7 max-md:pb-5">
          <Logo className="size-10 shrink-0 text-accent" />
          <div className="min-w-0 flex-1">
            <h1 className="text-20 font-semibold">{t('bar.about')}</h1>
            <Build />
          </div>
        </header>
        <ServerSection />
        <NoticesSection />
      </div>
    </main>
  );
}

function Build() {
  const { t } = useTranslation();
  const about = useQuery({ queryKey: ['about'], queryFn: ({ signal }) => fetchAbout(signal) });
  if (about.isError) {
    return (
      <FailedLine
        text={t('about.buildFailed')}
        {...failureReason(about.error, t)}
        retryLabel={t('about.retry')}
        retry={() => void about.refetch()}
        retrying={about.isFetching}
      />
    );
  }
  if (about.data === undefined) return <Skeleton className="mt-3 w-48" />;
  const { version, commit, license } = about.data;
  return (
    <dl className="mt-2 flex flex-wrap gap-x-8 gap-y-2">
      <Fact name={t('about.version')}>
        <span className="font-mono">{version}</span>
      </Fact>
      {commit !== null && (
        <Fact name={t('about.commit')}>
          <span className="font-mono">{commit}</span>
        </Fact>
      )}
      <Fact name={t('about.license')}>{license}</Fact>
    </dl>
  );
}
