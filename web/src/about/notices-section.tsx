// The third-party notices: what the product is made of, and the texts of the licenses. All of it is drawn, so that the
// browser's own search finds it.
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { fetchNotices, NOTICES_FILE } from '../api/about.ts';
import { failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { FailedPanel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { type Component, type LicenseText, type Notices, parseNotices } from './notices-text.ts';

/** What is not in sight is not laid out, but found. */
const LAID_OUT_IN_SIGHT = '[content-visibility:auto] [contain-intrinsic-size:auto_320px]';
const TEXTS = 'texts';

export function NoticesSection() {
  const { t } = useTranslation();
  const heading = useId();
  const notices = useQuery({
    queryKey: ['about', 'notices'],
    queryFn: async ({ signal }) => parseNotices(await fetchNotices(signal)),
    // A file of this build.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <section aria-labelledby={heading} className="border-t border-line pt-7 max-md:pt-5">
      <h2 id={heading} className="text-16 font-semibold">
        {t('about.notices')}
      </h2>
      <p className="mt-1 max-w-[65ch] text-13 text-pretty text-quiet">
        {t('about.noticesHint')}{' '}
        <a href={NOTICES_FILE} target="_blank" rel="noreferrer" className="text-accent underline">
          {t('about.file')}
        </a>
      </p>
      {notices.isError ? (
        <FailedPanel
          text={t('about.noticesFailed')}
          {...failureReason(notices.error, t)}
          retryLabel={t('about.retry')}
          retry={() => void notices.refetch()}
          retrying={notices.isFetching}
          className="mt-4 min-h-40"
        />
      ) : notices.data === undefined ? (
        <LoadingNotices label={t('about.loading')} />
      ) : (
        <NoticesParts notices={notices.data} />
      )}
    </section>
  );
}

function LoadingNotices({ label }: { label: string }) {
  return (
    <div role="status" className="mt-5 flex flex-col gap-4">
      <span className="sr-only">{label}</span>
      {['w-1/2', 'w-2/3', 'w-1/3', 'w-3/5'].map((width) => (
        <Skeleton key={width} className={width} />
      ))}
    </div>
  );
}

function NoticesParts({ notices: { parts, texts } }: { notices: Notices }) {
  const { t } = useTranslation();
  return (
    <>
      <nav aria-label={t('about.contents')} className="mt-4">
        <ul className="flex flex-wrap gap-x-5 gap-y-1 text-13">
          {parts.map(({ name, components }) => (
            <ContentsLine key={name} to={name} text={t(`about.part.${name}`)} count={components.length} />
          ))}
          <ContentsLine to={TEXTS} text={t('about.texts')} count={texts.length} />
        </ul>
      </nav>
      {parts.map(({ name, components }) => (
        <ComponentList key={name} id={name} title={t(`about.part.${name}`)} components={components} />
      ))}
      <h3 id={TEXTS} className="mt-9 scroll-mt-4 text-14 font-semibold">
        {t('about.texts')}
      </h3>
      {texts.map((one) => (
        <LicenseArticle key={one.components + one.text} license={one} />
      ))}
    </>
  );
}

function ContentsLine({ to, text, count }: { to: string; text: string; count: number }) {
  return (
    <li>
      <a
        href={`#${to}`}
        className="inline-flex items-center gap-1.5 text-accent underline pointer-coarse:min-h-11"
      >
        {text}
        <span className="text-quiet tabular-nums">{count}</span>
      </a>
    </li>
  );
}

interface ComponentListProps {
  id: string;
  title: string;
  components: readonly Component[];
}

function ComponentList({ id, title, components }: ComponentListProps) {
  const { t } = useTranslation();
  return (
    <table id={id} className="mt-7 w-full scroll-mt-4 table-fixed text-13">
      <caption className="pb-2 text-left text-14 font-semibold">{title}</caption>
      <thead>
        <tr className="border-b border-line text-left text-12 text-quiet">
          <th scope="col" className="w-1/2 py-1 pr-4 font-medium">
            {t('about.name')}
          </th>
          <th scope="col" className="w-1/5 py-1 pr-4 font-medium">
            {t('about.version')}
          </th>
          <th scope="col" className="py-1 font-medium">
            {t('about.license')}
          </th>
        </tr>
      </thead>
      <tbody>
        {components.map(({ name, version, license }) => (
          <tr key={`${name} ${version}`} className="border-b border-line align-baseline">
            <td className="py-1 pr-4 wrap-anywhere">{name}</td>
            <td className="py-1 pr-4 font-mono text-12 wrap-anywhere">{version}</td>
            <td className="py-1 wrap-anywhere">{license}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function LicenseArticle({ license: { title, components, text } }: { license: LicenseText }) {
  return (
    <article className={`mt-5 rounded-xl border border-line bg-raised p-5 max-md:p-4 ${LAID_OUT_IN_SIGHT}`}>
      <h4 className="text-13 font-semibold">{title}</h4>
      <p className="mt-1 text-12 whitespace-pre-wrap text-quiet wrap-anywhere">{components}</p>
      <pre className="mt-3 font-mono text-12 whitespace-pre-wrap wrap-anywhere">{text}</pre>
    </article>
  );
}
