import { useTranslation } from '../i18n/use-translation.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { useStartAction } from '../repair-order/order-actions.ts';
import { MenuItem, OpenedMenu } from '../ui/menu.tsx';
import type { Opened } from '../ui/opener.ts';
import { type Assigning, assignmentGlyphs } from './row-actions.tsx';

interface CardActionsItemsProps {
  opened: Opened;
  order: RepairOrder;
  actions: readonly Assigning[];
}

export function CardActionsItems({ opened, order, actions }: CardActionsItemsProps) {
  const { t } = useTranslation();
  const ask = useStartAction();
  return (
    <OpenedMenu opened={opened}>
      {actions.map((action) => (
        <MenuItem key={action} glyph={assignmentGlyphs[action]} act={() => ask(action, order.key)}>
          {t(`table.${action}`, { number: order.roNumber })}
        </MenuItem>
      ))}
    </OpenedMenu>
  );
}
