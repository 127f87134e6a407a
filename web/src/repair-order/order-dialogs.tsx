// The dialogs of the desk, whichever is asked for.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { usePermission } from '../auth/use-session.ts';
import { DetailsDialog, type JobStoryPlace } from './details-dialog.tsx';
import { closeDialog, useOpenDialog } from './open-dialog.ts';
import { PriorityDialog } from './priority-dialog.tsx';
import { technicians } from './technician-choice.tsx';
import { AddDialog, DispatchDialog, ReassignDialog, RemoveDialog } from './technician-dialogs.tsx';

interface OrderDialogsProps {
  /** The order whose details are open. */
  details: number | null;
  Story: JobStoryPlace;
  closeDetails(): void;
  /** Several orders were dispatched. */
  dispatched(): void;
}

export function OrderDialogs({ details, Story, closeDetails, dispatched }: OrderDialogsProps) {
  const client = useQueryClient();
  const mayDispatch = usePermission('dispatch');
  useEffect(() => {
    // Whoever opens a dialog has them at hand.
    if (mayDispatch) void client.prefetchQuery(technicians);
  }, [client, mayDispatch]);
  return (
    <>
      <DetailsDialog roNumber={details} Story={Story} close={closeDetails} />
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
          done={dispatched}
          close={closeDialog}
        />
      );
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
