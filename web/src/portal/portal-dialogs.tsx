// The portal's dialogs, each loaded when it is first needed.
import { lazy, Suspense } from 'react';
import { useOpenDetails, useOpenOrder } from '../dashboard/open-details.ts';
import type { Assignment } from './assignment-tracker.ts';
import type { Assignments } from './assignments.ts';
import type { ClockControls } from './job-lines.tsx';
import type { PortalRights } from './portal-access.ts';
import type { PortalOrders } from './portal-orders.ts';

const DetailsDialog = lazy(async () => ({ default: (await import('./details-dialog.tsx')).DetailsDialog }));
const HandBackDialog = lazy(async () => ({
  default: (await import('./hand-back-dialog.tsx')).HandBackDialog,
}));
const NotificationSettings = lazy(async () => ({
  default: (await import('./notification-settings.tsx')).NotificationSettings,
}));
const ClosedOrdersSheet = lazy(async () => ({
  default: (await import('./closed-orders-sheet.tsx')).ClosedOrdersSheet,
}));
const ClockEntries = lazy(async () => ({ default: (await import('./clock-entries.tsx')).ClockEntries }));

export type PortalDialog =
  | { kind: 'notifications' | 'clock-entries' | 'closed-orders' }
  | { kind: 'hand-back'; assignment: Assignment };

interface PortalDialogsProps {
  technician: number;
  name: string;
  rights: PortalRights;
  list: PortalOrders;
  clocked: ClockControls;
  handBack: Assignments['handBack'];
  dialog: PortalDialog | null;
  open(dialog: PortalDialog | null): void;
}

export function PortalDialogs({ list, clocked, rights, open, ...props }: PortalDialogsProps) {
  const [details, closeDetails] = useOpenOrder();
  const openDetails = useOpenDetails();
  const seen = details === null ? undefined : list.seen(details);
  const isRegular = seen?.order.technicians.some(({ id }) => id === props.technician) === true;
  const startHandBack = (roNumber: number) => {
    closeDetails();
    open({ kind: 'hand-back', assignment: { roNumber, seq: -1, by: '', order: null } });
  };
  return (
    <Suspense>
      <DetailsDialog
        roNumber={details}
        cached={seen}
        clocked={clocked}
        handBack={rights.own && isRegular ? startHandBack : null}
        close={closeDetails}
      />
      <CurrentDialog
        list={list}
        rights={rights}
        close={() => open(null)}
        openOrder={openDetails}
        {...props}
      />
    </Suspense>
  );
}

type CurrentDialogProps = Omit<PortalDialogsProps, 'clocked' | 'open'> & {
  openOrder(roNumber: number): void;
  close(): void;
};

function CurrentDialog(props: CurrentDialogProps) {
  const { technician, name, rights, list, handBack, dialog, openOrder, close } = props;
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
