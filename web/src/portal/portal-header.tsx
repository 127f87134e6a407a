// Whose portal it is, and the ways to what is beside it.
import { Bell, BellOff, CalendarClock, CircleCheckBig } from 'lucide-react';
import { memo } from 'react';
import { usePermission } from '../auth/use-session.ts';
import { RecentChangesTray } from '../dashboard/recent-changes-tray.tsx';
import { useTranslation } from '../i18n/use-translation.ts';
import { useOutbox } from '../offline/outbox.ts';
import { IconButton } from '../ui/button.tsx';
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
  const closed = useClosedOrders(technician, rights.own).data;
  const owed = rights.own ? storiesOwed(closed ?? []) : 0;
  return (
    <div className="flex min-w-0 items-start gap-2">
      <div className="min-w-0 flex-1 low:flex low:flex-wrap low:items-baseline low:gap-x-3">
        <h1 className="text-20 font-semibold break-words">{title}</h1>
        {specialty !== '' && <p className="text-13 text-quiet">{specialty}</p>}
      </div>
      <div className="flex shrink-0 items-center">
        {mayChangeStatus && <RecentChangesTray waiting={waitingStatuses} />}
        {rights.own && (
          <IconButton
            label={t('portal.announce.title')}
            title={t('portal.announce.title')}
            onClick={() => open({ kind: 'notifications' })}
            className="max-lg:size-11"
          >
            {on ? (
              <Bell aria-hidden className="size-[18px]" />
            ) : (
              <BellOff aria-hidden className="size-[18px]" />
            )}
          </IconButton>
        )}
        <IconButton
          label={owed === 0 ? t('portal.closed.title') : t('portal.closed.titleOwed', { count: owed })}
          title={owed === 0 ? t('portal.closed.title') : t('portal.closed.titleOwed', { count: owed })}
          onClick={() => open({ kind: 'closed-orders' })}
          className="relative max-lg:size-11"
        >
          <CircleCheckBig aria-hidden className="size-[18px]" />
          {owed > 0 && (
            <span
              aria-hidden
              className="absolute top-0.5 right-0.5 lg:-top-1 lg:-right-1 grid h-4 min-w-4 place-items-center rounded-full bg-stale-tint px-1 text-12 leading-none font-semibold text-stale"
            >
              {owed}
            </span>
          )}
        </IconButton>
        {rights.entries !== null && (
          <IconButton
            label={t('clock.entries.title')}
            title={t('clock.entries.title')}
            onClick={() => open({ kind: 'clock-entries' })}
            className="max-lg:size-11"
          >
            <CalendarClock aria-hidden className="size-[18px]" />
          </IconButton>
        )}
      </div>
    </div>
  );
});
