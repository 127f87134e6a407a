// Whose portal it is, and the ways to what is beside it.
import { Bell, BellOff, CalendarClock, CircleCheckBig } from 'lucide-react';
import { memo } from 'react';
import { usePermission } from '../auth/use-session.ts';
import { RecentChangesTray } from '../dashboard/recent-changes-tray.tsx';
import { useTranslation } from '../i18n/use-translation.ts';
import { useOutbox } from '../offline/outbox.ts';
import { GlyphButton } from '../ui/button.tsx';
import { useSound } from './assignment-sound.ts';
import { storiesOwed, useClosedOrders } from './closed-orders.ts';
import type { PortalRights } from './portal-access.ts';
import type { PortalDialog } from './portal-dialogs.tsx';

interface HeaderProps {
  technician: number;
  rights: PortalRights;
  title: string;
  specialty: string;
  open(dialog: PortalDialog): void;
}

/** Memoised: it shows nothing of the list. */
export const PortalHeader = memo(function PortalHeader(props: HeaderProps) {
  const { technician, rights, title, specialty, open } = props;
  const { t } = useTranslation();
  const { on } = useSound();
  const mayChangeStatus = usePermission('change-status');
  const waitingStatuses = useOutbox().waiting.filter(({ about }) => about.kind === 'status').length;
  const closed = useClosedOrders(technician, rights.own).data?.value;
  const owed = rights.own ? storiesOwed(closed ?? []) : 0;
  return (
    // Where there is no room beside the title on a wide screen, the buttons stand below it.
    <div className="flex min-w-0 items-start gap-2 md:flex-wrap">
      <div className="min-w-0 flex-auto max-md:flex-1 low:flex low:flex-wrap low:items-baseline low:gap-x-3">
        <h1 className="text-20 font-semibold break-words">{title}</h1>
        {specialty !== '' && <p className="text-13 text-quiet">{specialty}</p>}
      </div>
      <div className="flex shrink-0 items-center">
        {mayChangeStatus && <RecentChangesTray hasWord waiting={waitingStatuses} />}
        {rights.own && (
          <GlyphButton
            label={t('portal.announce.title')}
            word={t('portal.announce.title')}
            shortWord={t('portal.announce.title')}
            onClick={() => open({ kind: 'notifications' })}
          >
            {on ? (
              <Bell aria-hidden className="size-[18px]" />
            ) : (
              <BellOff aria-hidden className="size-[18px]" />
            )}
          </GlyphButton>
        )}
        <GlyphButton
          label={owed === 0 ? t('portal.closed.title') : t('portal.closed.titleOwed', { count: owed })}
          title={owed === 0 ? undefined : t('portal.closed.titleOwed', { count: owed })}
          word={t('portal.closed.title')}
          shortWord={t('portal.closed.short')}
          onClick={() => open({ kind: 'closed-orders' })}
          className="relative"
        >
          <CircleCheckBig aria-hidden className="size-[18px]" />
          {owed > 0 && (
            // Drawn, and no text: the button's name has the number in its place.
            <span
              aria-hidden
              data-count={owed}
              className="grid h-4 min-w-4 place-items-center rounded-full bg-stale-tint px-1 text-12 leading-none font-semibold text-stale before:content-[attr(data-count)] max-md:absolute max-md:top-0 max-md:right-0"
            />
          )}
        </GlyphButton>
        {rights.entries !== null && (
          <GlyphButton
            label={t('clock.entries.title')}
            word={t('clock.entries.title')}
            shortWord={t('clock.entries.short')}
            onClick={() => open({ kind: 'clock-entries' })}
          >
            <CalendarClock aria-hidden className="size-[18px]" />
          </GlyphButton>
        )}
      </div>
    </div>
  );
});
