// 'Repair Order #n Details': beside the list where there is room, else over it. There an order is read and worked on.
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { ignoreSecondClick } from '../ui/double-click.ts';
import { Sheet } from '../ui/sheet.tsx';
import {
  DetailsContent,
  type DetailsContentProps,
  type DetailsControls,
  detailsQuery,
} from './details-content.tsx';
import type { JobStoryPlace } from './details-jobs.tsx';
import { DetailsPane } from './details-pane.tsx';
import { StepButtons, StepStatus, type Steps } from './details-steps.tsx';
import type { OrderPermissions } from './order-actions.ts';
import { usePresenceAt } from './presence.ts';
import { PresenceLine } from './presence-indicator.tsx';
import { useOrders } from './use-orders.ts';

const NO_ORDERS: readonly number[] = [];

/** The open details, as the screen with the list knows them. */
export interface OpenDetails {
  roNumber: number | null;
  /** They stand beside the list. */
  beside: boolean;
  pane: RefObject<HTMLElement | null>;
  steps: Steps;
  open(key: number): void;
  close(): void;
  /** Called when the pane goes and the focus is in it, or nowhere. */
  returnFocus(): void;
  onKeyDown(event: KeyboardEvent<HTMLElement>): void;
}

interface OrderDetailsProps {
  details: OpenDetails;
  may: OrderPermissions;
  controls: DetailsControls;
  Story: JobStoryPlace;
}

export function OrderDetails({ details, may, controls, Story }: OrderDetailsProps) {
  const { t } = useTranslation();
  const { roNumber, beside, steps, open, close, onKeyDown } = details;
  const orders = useOrders();
  const cached = orders?.open.get(roNumber ?? -1);
  const version = cached?.version ?? orders?.closed.get(roNumber ?? -1)?.version;
  usePresenceAt(roNumber === null ? NO_ORDERS : [roNumber]);

  const loaded = useQuery({ ...detailsQuery(roNumber ?? -1, version), enabled: roNumber !== null }).data;
  const number =
    roNumber === null ? null : (loaded?.displayNumber ?? cached?.order.roNumber ?? String(roNumber));
  const frame = {
    title: t('details.title', { number: number ?? '' }),
    closeLabel: t('details.close'),
    tools: <StepButtons steps={steps} open={open} />,
    close,
    onKeyDown,
  };
  const status = <StepStatus number={number} steps={steps} />;
  const content = { version, order: cached?.order, may, controls, Story };
  if (!beside) {
    return (
      <Sheet {...frame} open={roNumber !== null} inAddress initialFocus={() => null}>
        {status}
        {roNumber !== null && <Content {...content} roNumber={roNumber} />}
      </Sheet>
    );
  }
  return (
    <>
      {/* There before the pane, so that its opening is told. */}
      {status}
      {roNumber !== null && (
        <DetailsPane {...frame} pane={details.pane} returnFocus={details.returnFocus}>
          <Content {...content} roNumber={roNumber} />
        </DetailsPane>
      )}
    </>
  );
}

function Content(props: DetailsContentProps) {
  const { roNumber } = props;
  const content = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // Another order begins at its top.
    void roNumber;
    const scroller = content.current?.closest('section, [role="dialog"]');
    if (scroller != null) scroller.scrollTop = 0;
  }, [roNumber]);
  return (
    <div ref={content} onClickCapture={ignoreSecondClick}>
      <PresenceLine roNumber={roNumber} />
      {/* Nothing of one order stays for the next. */}
      <DetailsContent key={roNumber} {...props} />
    </div>
  );
}
