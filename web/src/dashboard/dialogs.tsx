// The desk's dialogs with what other features put into them. Loaded apart from the dashboard, which is on screen before.
import type { ComponentProps } from 'react';
import { OrderDialogs } from '../repair-order/order-dialogs.tsx';
import { JobStory } from '../tech-story/job-story.tsx';

export function Dialogs(props: Omit<ComponentProps<typeof OrderDialogs>, 'Story'>) {
  return <OrderDialogs {...props} Story={JobStory} />;
}
