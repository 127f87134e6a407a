// The details and the dialogs of the desk, whichever are asked for.
import { useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useEffect } from 'react';
import { usePermission } from '../auth/use-session.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { DispatchDialog } from './dispatch/dispatch-dialog.tsx';
import { EndHoldsDialog } from './end-holds-dialog.tsx';
import { HoldDialog } from './hold-dialog.tsx';
import { closeDialog, useOpenDialog } from './open-dialog.ts';
import { OrderDetails } from './order-details.tsx';
import { PriorityDialog } from './priority-dialog.tsx';
import { technicians } from './technician-choice.tsx';
import { AddDialog, ReassignDialog, RemoveDialog } from './technician-dialogs.tsx';

interface OrderDialogsProps extends ComponentProps<typeof OrderDetails> {
  /** Several orders were dispatched. */
  dispatched(): void;
}

export function OrderDialogs({ dispatched, ...details }: OrderDialogsProps) {
  const client = useQueryClient();
  const mayDispatch = usePermission('dispatch');
  useEffect(() => {
    // Whoever opens a dialog has them at hand.
    if (mayDispatch) void client.prefetchQuery(technicians);
  }, [client, mayDispatch]);
  return (
    <>
      <OrderDetails {...details} />
      <CurrentDialog dispatched={dispatched} />
    </>
  );
}

function CurrentDialog({ dispatched }: Pick<OrderDialogsProps, 'dispatched'>) {
  const dialog = useOpenDialog();
  switch (dialog?.kind) {
    case undefined:
      return null;
    case 'dispatch':
      return (
        <DispatchDialog
          key={dialog.orders.join()}
          orders={dialog.orders}
          hidden={dialog.hidden}
          done={dispatched}
          close={closeDialog}
        />
      );
    case 'hold':
      return <HoldDialog key={`${dialog.order} ${dialog.hold}`} {...dialog} close={closeDialog} />;
    case 'end-holds':
      return <EndHoldsDialog key={dialog.order} {...dialog} close={closeDialog} />;
    case 'conflict':
      return <ConflictDialog {...dialog} close={closeDialog} />;
    case 'priority':
      return <PriorityDialog key={dialog.order} order={dialog.order} close={closeDialog} />;
    case 'add':
      return <AddDialog key={dialog.order} order={dialog.order} close={closeDialog} />;
    case 'reassign':
      return <ReassignDialog key={dialog.order} order={dialog.order} close={closeDialog} />;
    case 'remove':
      return <RemoveDialog key={dialog.order} order={dialog.order} close={closeDialog} />;
  }
}
