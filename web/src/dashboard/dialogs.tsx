// The desk's details and dialogs with what other features put into them. Loaded apart from the dashboard, which is on
// screen before.
import { type ComponentProps, useEffect, useRef } from 'react';
import { OpenDetailsContext } from '../repair-order/open-details-context.ts';
import { OrderDialogs } from '../repair-order/order-dialogs.tsx';
import { JobStory } from '../tech-story/job-story.tsx';
import { releaseKeys } from '../ui/key-hold.ts';
import { detailsControls } from './details-controls.tsx';
import { OrderPickers } from './order-pickers.tsx';

export function Dialogs(props: Omit<ComponentProps<typeof OrderDialogs>, 'Story' | 'controls'>) {
  const { roNumber, beside } = props.details;
  const before = useRef<number | null>(null);
  // A sheet does so itself when it takes the focus, and takes it once for all orders that are shown in it.
  useEffect(() => {
    if (roNumber !== null && (beside || before.current !== null)) releaseKeys();
    before.current = roNumber;
  }, [beside, roNumber]);
  return (
    <>
      <OpenDetailsContext value={props.details.open}>
        <OrderDialogs {...props} Story={JobStory} controls={detailsControls} />
      </OpenDetailsContext>
      <OrderPickers />
    </>
  );
}
