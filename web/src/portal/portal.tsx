// A technician's portal: their repair orders, new assignments and their clock.

import { useSelector } from '@tanstack/react-store';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { Navigate, useParams } from 'react-router';
import type { TechnicianClock } from '../api/clock.ts';
import { usePermission, useUser } from '../auth/use-session.ts';
import { useOpenDetails } from '../dashboard/open-details.ts';
import { failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { OpenDetailsContext } from '../repair-order/open-details-context.ts';
import { useClock } from '../shop/clock.ts';
import { pressGuard } from '../ui/double-click.ts';
import { useMedia } from '../ui/media.ts';
import { usePageTitle } from '../ui/page-title.ts';
import { useArrivalAlert, useUnlockedSound } from './arrival-alert.ts';
import { AssignmentBanner } from './assignment-banner.tsx';
import type { Assignment } from './assignment-tracker.ts';
import { type Assignments, useAssignments } from './assignments.ts';
import { ClockBar } from './clock-bar.tsx';
import { ForgottenClock } from './forgotten-clock.tsx';
import type { ClockControls } from './job-lines.tsx';
import { type LeftOrder, useLeftOrder } from './left-order.ts';
import { NoOrders, NotLinked, OrdersFailed, OrdersLoading, UnknownTechnician } from './load-states.tsx';
import {
  FlaggedLine,
  LastKnownLine,
  LeftOrderLine,
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
import { useStageControls } from './stage-controls.ts';
import type { StageControls } from './stage-section.tsx';
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
  const clockState = useTechnicianClock(technician);
  const { clock, tap: send, undo } = clockState;
  const list = usePortalOrders(technician, rights.own, clock?.running?.roNumber ?? null);
  const left = useLeftOrder(technician, clockState, list);
  const tap = useUndoableTap(send, undo, list.orderOf);
  const arrived = useArrivalAlert(technician, clock);
  const assignments = useAssignments(rights.own ? technician : null, arrived);
  const [dialog, openDialog] = useState<PortalDialog | null>(null);
  const staged = useStageControls(rights, openDialog);
  useUnlockedSound(rights.own);
  useLateChanges();
  const openEntries = () => openDialog({ kind: 'clock-entries' });
  // Memoised: another object would render the banner, or the list, again.
  const askWhy = useCallback((assignment: Assignment) => openDialog({ kind: 'hand-back', assignment }), []);
  const mayTap = rights.clock;
  const clocked = useMemo(() => ({ clock, tap: mayTap ? tap : null }), [clock, tap, mayTap]);

  const { profile, orders, orderOf } = list;
  const name = profile?.fullName ?? '';
  const title = name === '' ? t('portal.mine') : t('portal.title', { name: firstName(name) });
  usePageTitle(title);
  if (profile === null) return <UnknownTechnician number={String(technician)} />;

  return (
    <main {...pressGuard} className="flex min-h-0 flex-1 flex-col">
      {/* The banner floats over the list of a wide screen, and above the clock. */}
      <div className="relative flex min-h-0 flex-1 flex-col">
        <UnderBanner assignments={assignments}>
          {/* On a phone the car in hand comes before the figures. The room above is theirs on a wide screen: the table's head
              stands at the very top of what is scrolled. */}
          <div className="flex shrink-0 flex-col gap-3 max-md:contents xl:flex-row xl:items-start xl:justify-between xl:gap-6 xl:pt-3">
            <div className="min-w-0 xl:flex-1">
              <PortalHeader
                technician={technician}
                rights={rights}
                title={title}
                specialty={profile?.specialty ?? ''}
                open={openDialog}
              />
            </div>
            <div className="shrink-0 max-md:order-1">
              <PerformanceCards clock={clock} active={orders === null ? null : orders.length} />
            </div>
          </div>
          <Notices {...{ technician, rights, clock, left, list, assignments, tap, openEntries }} />
          <OrderList {...{ list, left, clocked, staged }} isOwn={rights.own} />
        </UnderBanner>
        <AssignmentBanner assignments={assignments} orderOf={orderOf} handBack={askWhy} />
      </div>
      {clock !== null && <Clock {...{ technician, rights, clock, left, orderOf }} tap={clocked.tap} />}
      <PortalDialogs
        {...{ technician, name, rights, list, clocked, staged, dialog }}
        handBack={assignments.handBack}
        open={openDialog}
      />
    </main>
  );
}

interface UnderBannerProps {
  assignments: Assignments;
  children: ReactNode;
}

/** What lies under the banner can be scrolled out from under it. */
function UnderBanner({ assignments, children }: UnderBannerProps) {
  const hasBanner = useSelector(assignments.state, ({ pending }) => pending.length > 0);
  return (
    <div
      className={`flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto px-4 py-3 max-md:gap-2.5 max-md:px-3 xl:pt-0 ${hasBanner ? 'lg:pb-[62dvh]' : ''}`}
    >
      {children}
    </div>
  );
}

interface ClockProps {
  technician: number;
  rights: PortalRights;
  clock: TechnicianClock;
  left: LeftOrder | null;
  orderOf: PortalOrders['orderOf'];
  tap: ClockControls['tap'];
}

/** The clock at the bottom, and the question about one that was forgotten. */
function Clock({ technician, rights, clock, left, orderOf, tap }: ClockProps) {
  const { running } = clock;
  const order = orderOf(running?.roNumber ?? -1) ?? left?.order ?? undefined;
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
      <ClockBar clock={clock} order={order} hasLeft={left?.isCertain === true} tap={tap} />
    </>
  );
}

interface NoticesProps {
  technician: number;
  rights: PortalRights;
  clock: TechnicianClock | null;
  left: LeftOrder | null;
  list: PortalOrders;
  assignments: Assignments;
  tap: Tap;
  openEntries(): void;
}

/** What the technician should know, a line each. */
function Notices({ technician, rights, clock, left, list, assignments, tap, openEntries }: NoticesProps) {
  const shopClock = useClock();
  const isRunning = clock !== null && clock.running !== null;
  return (
    <>
      {rights.own && <LeftOrderLine left={left} tap={tap} />}
      {rights.own && isRunning && <SoundPermissionLine />}
      <OutboxStrip orderOf={list.orderOf} />
      <FlaggedLine
        count={clock?.flagged ?? 0}
        review={rights.entries === null ? null : openEntries}
        isOwn={rights.entries === 'read'}
      />
      {rights.entries === 'corrected' && <ProposalLine technician={technician} review={openEntries} />}
      {rights.own && <StoppedLine stopped={clock?.stoppedByClosing ?? null} tap={tap} />}
      <RemovedAssignmentLines assignments={assignments} left={left} />
      {list.savedAt !== null && <LastKnownLine time={shopClock.short(list.savedAt)} />}
    </>
  );
}

/** Below it the orders are cards: the seven columns of the table would cut the jobs. */
const WIDE = '(min-width: 1280px)';

const listArea = 'flex flex-[1_0_auto] flex-col max-md:order-2';

interface OrderListProps {
  list: PortalOrders;
  left: LeftOrder | null;
  clocked: ClockControls;
  staged: StageControls | null;
  isOwn: boolean;
}

function OrderList({ list, left, clocked, staged, isOwn }: OrderListProps): ReactNode {
  const { t } = useTranslation();
  const isWide = useMedia(WIDE);
  const mayChangeStatus = usePermission('change-status');
  const pickStatus = usePickStatus();
  const openDetails = useOpenDetails();
  const { orders, failure, retrying, retry } = list;
  const { clock, tap } = clocked;
  if (orders === null) {
    return (
      <div className={listArea}>
        {failure === null ? (
          <OrdersLoading />
        ) : (
          <OrdersFailed {...failureReason(failure, t)} retrying={retrying} retry={retry} />
        )}
      </div>
    );
  }
  const props = { orders, clocked, staged, pick: mayChangeStatus ? pickStatus : null };
  return (
    <OpenDetailsContext value={openDetails}>
      {clock !== null && <NowAndNext {...{ orders, left, clock, isOwn, tap }} />}
      <div className={listArea}>
        {orders.length === 0 ? (
          <NoOrders own={isOwn} />
        ) : isWide ? (
          <OrdersTable {...props} />
        ) : (
          <OrderCards {...props} />
        )}
      </div>
    </OpenDetailsContext>
  );
}

function firstName(name: string): string {
  return name.trim().split(/\s+/)[0] ?? name;
}
