import type { RepairOrder } from '../repair-order/order.ts';
import { StatusControl } from './status-control.tsx';
import { usePickerControl } from './use-picker-control.ts';

interface StatusPickerProps {
  order: Pick<RepairOrder, 'key' | 'roNumber' | 'status'>;
  readOnly: boolean;
}

/** The control of the desk: its picker is the one that `OrderPickers` shows. */
export function StatusPicker({ order, readOnly }: StatusPickerProps) {
  const picker = usePickerControl('status', order.key);
  return <StatusControl order={order} readOnly={readOnly} {...picker} />;
}
