// The portal's dialogs, each loaded when it is first needed.
import type { Hold } from '../api/stages.ts';
import { usePermission } from '../auth/use-session.ts';
import { useOpenDetails, useOpenOrder } from '../dashboard/open-details.ts';
import { OpenDetailsContext } from '../repair-order/open-details-context.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { deferred } from '../ui/deferred.tsx';
import type { Assignment } from './assignment-tracker.ts';
import type { Assignments } from './assignments.ts';
import type { ClockControls } from './job-lines.tsx';
import type { PortalRights } from './portal-access.ts';
import type { PortalOrders } from './portal-orders.ts';
import type { StageControls } from './stage-section.tsx';
import type { HoldTap } from './stage-taps.ts';

const DetailsDialog = deferred(async () => (await import('./details-dialog.tsx')).DetailsDialog);
const HandBackDialog = deferred(async () => (await import('./hand-back-dialog.tsx')).HandBackDialog);
const NotificationSettings = deferred(
  async () => (await import('./notification-settings.tsx')).NotificationSettings,
);
const HoldDialog = deferred(async () => (await import('./hold-dialog.tsx')).HoldDialog);
const ClosedOrdersSheet = deferred(async () => (await import('./closed-orders-sheet.tsx')).ClosedOrdersSheet);
const ClockEntries = deferred(async () => (await import('./clock-entries.tsx')).ClockEntries);

export type PortalDialog =
  | { kind: 'notifications' | 'clock-entries' | 'closed-orders' }
  | { kind: 'hand-back'; assignment: Assignment }
  | { kind: 'hold'; order: RepairOrder; reason: HoldTap; hold: Hold | null };

interface PortalDialogsProps {
  technician: number;
  name: string;
  rights: PortalRights;
  list: PortalOrders;
  clocked: ClockControls;
  staged: StageControls | null;
  handBack: Assignments['handBack'];
  dialog: PortalDialog | null;
  open(dialog: PortalDialog | null): void;
}

export function PortalDialogs({ list, clocked, rights, open, ...props }: PortalDialogsProps) {
  const [details, closeDetails] = useOpenOrder();
  const openDetails = useOpenDetails();
  const seesAll = usePermission('see-all-technicians');
  const seen = details === null ? undefined : list.seen(details);
  const isRegular = seen?.order.technicians.some(({ id }) => id === props.technician) === true;
  const startHandBack = (roNumber: number) => {
    closeDetails();
    open({ kind: 'hand-back', assignment: { roNumber, seq: -1, by: '', order: null } });
  };
  return (
    <>
      <OpenDetailsContext value={openDetails}>
        <DetailsDialog
          roNumber={details}
          cached={seen}
          clocked={clocked}
          handBack={rights.own && isRegular ? startHandBack : null}
          isOthers={rights.own && !seesAll && list.orders !== null && seen === undefined}
          close={closeDetails}
        />
      </OpenDetailsContext>
      <CurrentDialog
        list={list}
        rights={rights}
        clocked={clocked}
        close={() => open(null)}
        openOrder={openDetails}
        {...props}
      />
    </>
  );
}

type CurrentDialogProps = Omit<PortalDialogsProps, 'open'> & {
  openOrder(roNumber: number): void;
  close(): void;
};

function CurrentDialog(props: CurrentDialogProps) {
  const { technician, name, rights, list, clocked, staged, handBack, dialog, openOrder, close } = props;
  switch (dialog?.kind) {
    case undefined:
      return null;
    case 'notifications':
      return <NotificationSettings close={close} />;
    case 'clock-entries':
      return (
        <ClockEntries
          technician={technician}
          name={name}
          mayCorrect={rights.entries === 'corrected'}
          isOwn={rights.own}
          close={close}
        />
      );
    case 'closed-orders':
      return (
        <ClosedOrdersSheet
          technician={technician}
          openOrder={(roNumber) => {
            close();
            openOrder(roNumber);
          }}
          close={close}
        />
      );
    case 'hold': {
      const { order, reason, hold } = dialog;
      const running = clocked.clock?.running;
      if (staged?.tap == null) return null;
      return (
        <HoldDialog
          order={list.orderOf(order.key) ?? order}
          reason={reason}
          hold={hold}
          runningJob={running?.roNumber === order.key ? (running.jobNumber ?? null) : null}
          tap={staged.tap}
          close={close}
        />
      );
    }
    case 'hand-back': {
      const { assignment } = dialog;
      const order = list.orderOf(assignment.roNumber) ?? assignment.order;
      return (
        <HandBackDialog
          number={order?.roNumber ?? String(assignment.roNumber)}
          handBack={(reason) => handBack(assignment, reason)}
          close={close}
        />
      );
    }
  }
}
