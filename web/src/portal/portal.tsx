// A technician's portal: their repair orders, new assignments and their clock.
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Navigate, useParams } from 'react-router';
import { serverNow } from '../api/server-time.ts';
import { onSocketMessage } from '../api/socket.ts';
import { usePermission, useUser } from '../auth/use-session.ts';
import { OpenDetailsContext, useOpenDetails, useOpenOrder } from '../dashboard/open-details.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useListFailure } from '../repair-order/freshness.ts';
import { openOrders, type Technician, technicianKey } from '../repair-order/live-orders.ts';
import { useClock } from '../shop/clock.ts';
import { wallDay } from '../shop/wall-time.ts';
import { useMedia } from '../ui/media.ts';
import { usePageTitle } from '../ui/page-title.ts';
import { AssignmentBanner } from './assignment-banner.tsx';
import { chime, unlockSound } from './assignment-sound.ts';
import { type Assignment, useAssignments } from './assignments.ts';
import { notifyIfHidden } from './browser-notification.ts';
import { ClockBar } from './clock-bar.tsx';
import { useLastKnownList } from './last-known-list.ts';
import { NoOrders, NotLinked, OrdersFailed, OrdersLoading, UnknownTechnician } from './load-states.tsx';
import {
  FlaggedLine,
  LastKnownLine,
  OutboxStrip,
  RemovedAssignmentLines,
  SoundPermissionLine,
} from './notice-lines.tsx';
import { OrderCards } from './order-cards.tsx';
import { ordersOfTechnician } from './order-list.ts';
import { OrdersTable } from './orders-table.tsx';
import { PerformanceCards } from './performance-cards.tsx';
import { type PortalRights, portalAccess, portalPath } from './portal-access.ts';
import { PortalHeader } from './portal-header.tsx';
import { usePrefetchedDetails } from './prefetched-details.ts';
import { usePickStatus, useWaitingStatuses } from './status-changes.ts';
import { useTechnicianClock } from './technician-clock.ts';

const DetailsDialog = lazy(async () => ({ default: (await import('./details-dialog.tsx')).DetailsDialog }));
const HandBackDialog = lazy(async () => ({
  default: (await import('./hand-back-dialog.tsx')).HandBackDialog,
}));
const Announcing = lazy(async () => ({
  default: (await import('./notification-settings.tsx')).NotificationSettings,
}));
const ClockEntries = lazy(async () => ({ default: (await import('./clock-entries.tsx')).ClockEntries }));

export function Portal() {
  const { id = '' } = useParams();
  const found = portalAccess(id, useUser());
  switch (found.kind) {
    case 'elsewhere':
      return <Navigate to={portalPath(found.technician)} replace />;
    case 'unlinked':
      return <NotLinked />;
    case 'nobody':
      return <UnknownTechnician number={id} />;
    case 'portal':
      return <Dashboard key={found.technician} {...found} />;
  }
}

/** Below it the orders are cards. */
const WIDE = '(min-width: 1024px)';

function Dashboard({ technician, rights }: { technician: number; rights: PortalRights }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const shopClock = useClock();
  const { data: cache, isFetching, refetch } = useQuery(openOrders);
  const { data: profile } = useQuery<Technician | null>({
    queryKey: technicianKey(technician),
    // The technician's name comes with the list.
    queryFn: skipToken,
  });
  const failure = useListFailure();
  const { clock, tap } = useTechnicianClock(technician);
  const mayChangeStatus = usePermission('change-status');
  const pickStatus = usePickStatus();
  const waitingStatuses = useWaitingStatuses();
  const [details, closeDetails] = useOpenOrder();
  const openDetails = useOpenDetails();
  const [handingBack, setHandingBack] = useState<Assignment | null>(null);
  const [entriesOpen, openEntries] = useState(false);
  const [announcingOpen, openAnnouncing] = useState(false);
  const isWide = useMedia(WIDE);
  useUnlockedSound(rights.own);

  const loaded = cache !== undefined && cache.listSeq >= 0;
  const live = useMemo(() => (loaded ? [...cache.open.values()] : null), [loaded, cache]);
  const lastKnown = useLastKnownList(technician, live, profile);
  const orderEntries = live ?? (failure === null ? null : (lastKnown?.entries ?? null));
  const orders = useMemo(
    () => (orderEntries === null ? null : ordersOfTechnician(technician, orderEntries, waitingStatuses)),
    [orderEntries, technician, waitingStatuses],
  );
  const byNumber = useMemo(
    () => new Map((orderEntries ?? []).map((one) => [one.order.key, one])),
    [orderEntries],
  );
  const orderOf = useCallback((roNumber: number) => byNumber.get(roNumber)?.order, [byNumber]);
  usePrefetchedDetails(rights.own && loaded ? (live ?? []) : []);

  // A technician who is off the clock hears no sound.
  const isOn = useRef(false);
  useEffect(() => {
    isOn.current = clock?.running != null;
  }, [clock]);
  const arrived = useCallback(
    (assignment: Assignment) => {
      if (!isOn.current) return;
      chime();
      const number = assignment.order?.roNumber ?? String(assignment.roNumber);
      void notifyIfHidden({
        title: t('portal.banner.notificationTitle', { number }),
        body: assignment.order?.vehicle ?? '',
        tag: `assignment-${assignment.roNumber}`,
        path: portalPath(technician),
      });
    },
    [t, technician],
  );
  const { pending, removed, accept, handBack, markSeen, dismissRemoved } = useAssignments(
    rights.own ? technician : null,
    arrived,
  );

  // Names and specialties come with the list.
  useEffect(
    () =>
      onSocketMessage('TECHNICIANS_CHANGED', (message) => {
        if (message !== null) void client.fetchQuery({ ...openOrders, staleTime: 0 }).catch(() => undefined);
      }),
    [client],
  );

  // Memoised: another object would render the list again.
  const mayTap = rights.clock;
  const clocked = useMemo(() => ({ clock, tap: mayTap ? tap : null }), [clock, tap, mayTap]);

  const name = profile?.fullName ?? lastKnown?.who.fullName ?? '';
  const title = name === '' ? t('portal.mine') : t('portal.title', { name: firstName(name) });
  usePageTitle(title);
  if (profile === null) {
    return <UnknownTechnician number={String(technician)} />;
  }

  const list = { orders: orders ?? [], clocked, pick: mayChangeStatus ? pickStatus : null };
  const detailed = details === null ? undefined : byNumber.get(details);
  const isRegular = detailed?.order.technicians.some(({ id }) => id === technician) === true;
  const running = clock?.running ?? null;
  return (
    <main className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto px-4 py-3 max-md:gap-2.5 max-md:px-3">
        <div className="flex shrink-0 flex-col gap-3 xl:flex-row xl:items-start xl:justify-between xl:gap-6">
          <div className="min-w-0 xl:flex-1">
            <PortalHeader
              title={title}
              specialty={profile?.specialty ?? lastKnown?.who.specialty ?? ''}
              openAnnouncing={rights.own ? () => openAnnouncing(true) : null}
              openEntries={rights.entries === null ? null : () => openEntries(true)}
            />
          </div>
          <PerformanceCards clock={clock} active={orders === null ? null : orders.length} />
        </div>
        {rights.own && running !== null && <SoundPermissionLine shift={wallDay(serverNow())} />}
        <OutboxStrip orderOf={orderOf} />
        <FlaggedLine
          count={clock?.flagged ?? 0}
          review={rights.entries === 'corrected' ? () => openEntries(true) : null}
        />
        <RemovedAssignmentLines removed={removed} dismissRemoved={dismissRemoved} />
        {!loaded && orderEntries !== null && lastKnown !== null && (
          <LastKnownLine time={shopClock.short(lastKnown.at)} />
        )}
        {orders === null ? (
          failure === null ? (
            <OrdersLoading />
          ) : (
            <OrdersFailed
              reason={errorMessage(failure, t)}
              retrying={isFetching}
              retry={() => void refetch()}
            />
          )
        ) : orders.length === 0 ? (
          <NoOrders own={rights.own} />
        ) : (
          <OpenDetailsContext value={openDetails}>
            {isWide ? <OrdersTable {...list} /> : <OrderCards {...list} />}
          </OpenDetailsContext>
        )}
      </div>
      <AssignmentBanner
        pending={pending}
        orderOf={orderOf}
        accept={accept}
        handBack={setHandingBack}
        markSeen={markSeen}
      />
      {clock !== null && (
        <ClockBar clock={clock} order={orderOf(running?.roNumber ?? -1)} tap={rights.clock ? tap : null} />
      )}
      <Suspense>
        <DetailsDialog
          roNumber={details}
          cached={detailed}
          clocked={clocked}
          handBack={
            rights.own && isRegular
              ? (roNumber) => {
                  closeDetails();
                  setHandingBack({ roNumber, seq: -1, by: '', order: null });
                }
              : null
          }
          close={closeDetails}
        />
        {handingBack !== null && (
          <HandBackDialog
            number={
              (orderOf(handingBack.roNumber) ?? handingBack.order)?.roNumber ?? String(handingBack.roNumber)
            }
            handBack={(reason) => handBack(handingBack, reason)}
            close={() => setHandingBack(null)}
          />
        )}
        {announcingOpen && <Announcing close={() => openAnnouncing(false)} />}
        {entriesOpen && (
          <ClockEntries
            technician={technician}
            name={name}
            mayCorrect={rights.entries === 'corrected'}
            close={() => openEntries(false)}
          />
        )}
      </Suspense>
    </main>
  );
}

function firstName(name: string): string {
  return name.trim().split(/\s+/)[0] ?? name;
}

/** Any tap on the page lets the browser play the sound. */
function useUnlockedSound(wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return;
    const taps = ['click', 'keydown'] as const;
    for (const tap of taps) document.addEventListener(tap, unlockSound, true);
    return () => {
      for (const tap of taps) document.removeEventListener(tap, unlockSound, true);
    };
  }, [wanted]);
}
