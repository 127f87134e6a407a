// Above what a sheet shows without a connection: of when it is.
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { LastKnownNotice } from '../ui/panel.tsx';

/** Nothing where it is the server's. */
export function PartLastKnown({ savedAt }: { savedAt: number | null }) {
  const { t } = useTranslation();
  const clock = useClock();
  if (savedAt === null) return null;
  return (
    <LastKnownNotice text={t('portal.lastKnownPart', { time: clock.short(savedAt) })} className="mb-3" />
  );
}
