// A technician's portal: their repair orders, new assignments and their clock.
import { type ReactNode, useMemo, useState } from 'react';
import { Navigate, useParams } from 'react-router';
import type { TechnicianClock } from '../api/clock.ts';
import { serverNow } from '../api/server-time.ts';
import { usePermission, useUser } from '../auth/use-session.ts';
import { OpenDetailsContext, useOpenDetails } from '../dashboard/open-details.ts';
import { RecentChangesTray } from '../dashboard/recent-changes-tray.tsx';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useOutbox } from '../offline/outbox.ts';
import { useClock } from '../shop/clock.ts';
import { wallDay } from '../shop/wall-time.ts';
import { useMedia } from '../ui/media.ts';
import { usePageTitle } from '../ui/page-title.ts';
import { useArrivalAlert, useUnlockedSound } from './arrival-alert.ts';
import { AssignmentBanner } from './assignment-banner.tsx';
import { type Assignments, useAssignments } from './assignments.ts';
import { ClockBar } from './clock-bar.tsx';
import { storiesOwed, useClosedOrders } from './closed-orders.ts';
import { ForgottenClock } from './forgotten-clock.tsx';
import type { ClockControls } from './job-lines.tsx';
import { NoOrders, NotLinked, OrdersFailed, OrdersLoading, UnknownTechnician } from './load-states.tsx';
import {
  FlaggedLine,
  LastKnownLine,
  OutboxStrip,
  RemovedAssignmentLines,
  SoundPermissionLine,
  StoppedLine,
} from './notice-lines.tsx';
import { NowAndNext } from './now-and-next.tsx';
import { OrderCards } from './order-cards.tsx';
import { OrdersTable } from './orders-table.tsx';
import { PerformanceCards } from './performance-cards.tsx';
import { type PortalRights, portalAccess, portalPath } from './portal-access.ts';
import { type PortalDialog, PortalDialogs } from './portal-dialogs.tsx';
import { PortalHeader } from './portal-header.tsx';
import { type PortalOrders, usePortalOrders } from './portal-orders.ts';
import { ProposalLine } from './proposal-line.tsx';
import { useLateChanges, usePickStatus } from './status-changes.ts';
import { type Tap, useTechnicianClock } from './technician-clock.ts';
import { useUndoableTap } from './undoable-taps.ts';

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
      return <TechnicianPortal key={found.technician} {...found} />;
  }
}

function TechnicianPortal({ technician, rights }: { technician: number; rights: PortalRights }) {
  const { t } = useTranslation();
  const { clock, tap: send, undo } = useTechnicianClock(technician);
  const list = usePortalOrders(technician, rights.own);
  const tap = useUndoableTap(send, undo, list.orderOf);
  const arrived = useArrivalAlert(technician, clock);
  const assignments = useAssignments(rights.own ? technician : null, arrived);
  const [dialog, openDialog] = useState<PortalDialog | null>(null);
  const mayChangeStatus = usePermission('change-status');
  const waitingStatuses = useOutbox().waiting.filter(({ about }) => about.kind === 'status').length;
  const owed = storiesOwed(useClosedOrders(technician, rights.own).data ?? []);
  useUnlockedSound(rights.own);
  useLateChanges();
  // Memoised: another object would render the list again.
  const mayTap = rights.clock;
  const clocked = useMemo(() => ({ clock, tap: mayTap ? tap : null }), [clock, tap, mayTap]);

  const { profile, orders, orderOf } = list;
  const name = profile?.fullName ?? '';
  const title = name === '' ? t('portal.mine') : t('portal.title', { name: firstName(name) });
  usePageTitle(title);
  if (profile === null) return <UnknownTechnician number={String(technician)} />;

  const openEntries = () => openDialog({ kind: 'clock-entries' });
  return (
    <main className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto px-4 py-3 max-md:gap-2.5 max-md:px-3">
        <div className="flex shrink-0 flex-col gap-3 xl:flex-row xl:items-start xl:justify-between xl:gap-6">
          <div className="min-w-0 xl:flex-1">
            <PortalHeader
              title={title}
              specialty={profile?.specialty ?? ''}
              openAnnouncing={rights.own ? () => openDialog({ kind: 'notifications' }) : null}
              openEntries={rights.entries === null ? null : openEntries}
              openClosed={() => openDialog({ kind: 'closed-orders' })}
              owed={rights.own ? owed : 0}
              recentChanges={mayChangeStatus ? <RecentChangesTray waiting={waitingStatuses} /> : null}
            />
          </div>
          <PerformanceCards clock={clock} active={orders === null ? null : orders.length} />
        </div>
        <Notices {...{ technician, rights, clock, list, assignments, tap, openEntries }} />
        <OrderList list={list} clocked={clocked} isOwn={rights.own} />
      </div>
      <AssignmentBanner
        pending={assignments.pending}
        orderOf={orderOf}
        accept={assignments.accept}
        handBack={(assignment) => openDialog({ kind: 'hand-back', assignment })}
        markSeen={assignments.markSeen}
      />
      {clock !== null && <Clock {...{ technician, rights, clock, orderOf }} tap={clocked.tap} />}
      <PortalDialogs
        {...{ technician, name, rights, list, clocked, dialog }}
        handBack={assignments.handBack}
        open={openDialog}
      />
    </main>
  );
}

interface ClockProps {
  technician: number;
  rights: PortalRights;
  clock: TechnicianClock;
  orderOf: PortalOrders['orderOf'];
  tap: ClockControls['tap'];
}

/** The clock at the bottom, and the question about one that was forgotten. */
function Clock({ technician, rights, clock, orderOf, tap }: ClockProps) {
  const { running } = clock;
  return (
    <>
      {rights.own && running?.forgotten === true && (
        <ForgottenClock
          key={running.entryId}
          technician={technician}
          running={running}
          clockOut={() => tap?.('clock-out')}
        />
      )}
      <ClockBar clock={clock} order={orderOf(running?.roNumber ?? -1)} tap={tap} />
    </>
  );
}

interface NoticesProps {
  technician: number;
  rights: PortalRights;
  clock: TechnicianClock | null;
  list: PortalOrders;
  assignments: Assignments;
  tap: Tap;
  openEntries(): void;
}

/** What the technician should know, a line each. */
function Notices({ technician, rights, clock, list, assignments, tap, openEntries }: NoticesProps) {
  const shopClock = useClock();
  const isRunning = clock !== null && clock.running !== null;
  return (
    <>
      {rights.own && isRunning && <SoundPermissionLine shift={wallDay(serverNow())} />}
      <OutboxStrip orderOf={list.orderOf} />
      <FlaggedLine
        count={clock?.flagged ?? 0}
        review={rights.entries === null ? null : openEntries}
        isOwn={rights.entries === 'read'}
      />
      {rights.entries === 'corrected' && <ProposalLine technician={technician} review={openEntries} />}
      {rights.own && <StoppedLine stopped={clock?.stoppedByClosing ?? null} tap={tap} />}
      <RemovedAssignmentLines removed={assignments.removed} dismissRemoved={assignments.dismissRemoved} />
      {list.savedAt !== null && <LastKnownLine time={shopClock.short(list.savedAt)} />}
    </>
  );
}

/** Below it the orders are cards: the seven columns of the table would cut the jobs. */
const WIDE = '(min-width: 1280px)';

interface OrderListProps {
  list: PortalOrders;
  clocked: ClockControls;
  isOwn: boolean;
}

function OrderList({ list, clocked, isOwn }: OrderListProps): ReactNode {
  const { t } = useTranslation();
  const isWide = useMedia(WIDE);
  const mayChangeStatus = usePermission('change-status');
  const pickStatus = usePickStatus();
  const openDetails = useOpenDetails();
  const { orders, failure, retrying, retry } = list;
  const { clock, tap } = clocked;
  if (orders === null) {
    if (failure === null) return <OrdersLoading />;
    return <OrdersFailed reason={errorMessage(failure, t)} retrying={retrying} retry={retry} />;
  }
  if (orders.length === 0) return <NoOrders own={isOwn} />;
  const props = { orders, clocked, pick: mayChangeStatus ? pickStatus : null };
  return (
    <OpenDetailsContext value={openDetails}>
      {clock !== null && <NowAndNext orders={orders} clock={clock} tap={tap} />}
      {isWide ? <OrdersTable {...props} /> : <OrderCards {...props} />}
    </OpenDetailsContext>
  );
}

function firstName(name: string): string {
  return name.trim().split(/\s+/)[0] ?? name;
}
