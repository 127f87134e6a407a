// Whose portal it is, and the ways to what is beside it.
import { Bell, BellOff, CalendarClock, CircleCheckBig } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { IconButton } from '../ui/button.tsx';
import { useSound } from './assignment-sound.ts';

interface HeaderProps {
  title: string;
  specialty: string;
  /** Null: assignments are not announced to the reader. */
  openAnnouncing: (() => void) | null;
  /** Null: the entries are not for the reader. */
  openEntries: (() => void) | null;
  /** Opens the closed orders; null: they are not for the reader. */
  openClosed: (() => void) | null;
  /** Stories of closed orders that the technician still owes. */
  owed: number;
  /** The tray of the reader's last changes; null: the reader may change nothing here. */
  recentChanges: ReactNode;
}

export function PortalHeader(props: HeaderProps) {
  const { title, specialty, openAnnouncing, openEntries, openClosed, owed, recentChanges } = props;
  const { t } = useTranslation();
  const { on } = useSound();
  return (
    <div className="flex min-w-0 items-start gap-2">
      <div className="min-w-0 flex-1 low:flex low:flex-wrap low:items-baseline low:gap-x-3">
        <h1 className="text-20 font-semibold break-words">{title}</h1>
        {specialty !== '' && <p className="text-13 text-quiet">{specialty}</p>}
      </div>
      <div className="flex shrink-0 items-center">
        {recentChanges}
        {openAnnouncing !== null && (
          <IconButton
            label={t('portal.announce.title')}
            title={t('portal.announce.title')}
            onClick={openAnnouncing}
            className="max-lg:size-11"
          >
            {on ? (
              <Bell aria-hidden className="size-[18px]" />
            ) : (
              <BellOff aria-hidden className="size-[18px]" />
            )}
          </IconButton>
        )}
        {openClosed !== null && (
          <IconButton
            label={owed === 0 ? t('portal.closed.title') : t('portal.closed.titleOwed', { count: owed })}
            title={owed === 0 ? t('portal.closed.title') : t('portal.closed.titleOwed', { count: owed })}
            onClick={openClosed}
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
        )}
        {openEntries !== null && (
          <IconButton
            label={t('clock.entries.title')}
            title={t('clock.entries.title')}
            onClick={openEntries}
            className="max-lg:size-11"
          >
            <CalendarClock aria-hidden className="size-[18px]" />
          </IconButton>
        )}
      </div>
    </div>
  );
}
