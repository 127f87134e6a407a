// What changes an order in its details: the row's controls, with room for their words.
import { useTranslation } from '../i18n/use-translation.ts';
import type { DetailsControls } from '../repair-order/details-content.tsx';
import type { RepairOrder } from '../repair-order/order.ts';
import { type OrderPermissions, useStartAction } from '../repair-order/order-actions.ts';
import { assignmentActions, assignmentNames, PriorityControl } from './row-actions.tsx';
import { StageFacts } from './stage-facts.tsx';
import { StatusPicker } from './status-picker.tsx';

export const detailsControls: DetailsControls = {
  Status: ({ order, may }) => <StatusPicker order={order} readOnly={!may.status} />,
  Priority: PriorityControl,
  Assignment: AssignmentControls,
  Stages: StageFacts,
};

function AssignmentControls({ order, may }: { order: RepairOrder; may: OrderPermissions }) {
  const { t } = useTranslation();
  const start = useStartAction();
  const actions = assignmentActions({ order, may });
  if (actions.length === 0) return null;
  return (
    // Smaller on a phone, so that all three stand in one row in every language.
    <span className="mt-1.5 mb-1 flex flex-wrap gap-1.5 max-md:gap-1">
      {actions.map((action) => (
        <button
          key={action}
          type="button"
          aria-label={t(`table.${action}`, { number: order.roNumber })}
          onClick={() => start(action, order.key)}
          className="h-8 rounded-md border border-line px-2.5 text-13 font-medium hover:bg-sunken max-md:h-11 max-md:min-w-11 max-md:px-1.5 max-md:text-12 pointer-coarse:h-11"
        >
          {t(assignmentNames[action])}
        </button>
      ))}
    </span>
  );
}
