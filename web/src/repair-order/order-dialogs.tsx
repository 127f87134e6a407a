// The details and the dialogs of the desk, whichever are asked for.
import { useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useEffect } from 'react';
import { usePermission } from '../auth/use-session.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { DispatchDialog } from './dispatch/dispatch-dialog.tsx';
import { EndHoldsDialog } from './end-holds-dialog.tsx';
import { HoldDialog } from './hold-dialog.tsx';
import { closeIfOpen, useOpenDialog } from './open-dialog.ts';
import { OrderDetails } from './order-details.tsx';
import { PriorityDialog } from './priority-dialog.tsx';
import { AddDialog, ReassignDialog, RemoveDialog } from './technician-dialogs.tsx';
import { technicians } from './technicians.ts';

export function OrderDialogs(details: ComponentProps<typeof OrderDetails>) {
  const client = useQueryClient();
  const mayDispatch = usePermission('dispatch');
  useEffect(() => {
    // Whoever opens a dialog has them at hand.
    if (mayDispatch) void client.prefetchQuery(technicians);
  }, [client, mayDispatch]);
  return (
    <>
      <OrderDetails {...details} />
      <CurrentDialog />
    </>
  );
}

function CurrentDialog() {
  const dialog = useOpenDialog();
  if (dialog === null) return null;
  const close = () => closeIfOpen(dialog);
  switch (dialog.kind) {
    case 'dispatch':
      return (
        <DispatchDialog
          key={dialog.orders.join()}
          orders={dialog.orders}
          hidden={dialog.hidden}
          close={close}
        />
      );
    case 'hold':
      return <HoldDialog key={`${dialog.order} ${dialog.hold}`} {...dialog} close={close} />;
    case 'end-holds':
      return <EndHoldsDialog key={dialog.order} {...dialog} close={close} />;
    case 'conflict':
      return <ConflictDialog {...dialog} close={close} />;
    case 'priority':
      return <PriorityDialog key={dialog.order} order={dialog.order} close={close} />;
    case 'add':
      return <AddDialog key={dialog.order} order={dialog.order} close={close} />;
    case 'reassign':
      return <ReassignDialog key={dialog.order} order={dialog.order} close={close} />;
    case 'remove':
      return <RemoveDialog key={dialog.order} order={dialog.order} close={close} />;
  }
}
