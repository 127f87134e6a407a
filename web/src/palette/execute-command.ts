// Carries out what a sentence says, on the order as the user saw it. The changes' own toasts tell what became of it.
import type { QueryClient } from '@tanstack/react-query';
import { i18n } from '../i18n/i18n.ts';
import { type Changes, changesOf, type Outcome } from '../repair-order/changes.ts';
import { pictureOf } from '../repair-order/live-orders.ts';
import { type AskedDialog, openDialog } from '../repair-order/open-dialog.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { copyText } from '../ui/clipboard.ts';
import { showToast } from '../ui/toaster.ts';
import type { Deed } from './command-parser.ts';

interface Ways {
  client: QueryClient;
  openDetails(key: number): void;
  /** The screen whose dialogs these are. */
  goToDesk(): void;
}

export async function carryOut(deed: Deed, ways: Ways): Promise<void> {
  if (deed.kind === 'details') return ways.openDetails(deed.known.order.key);
  if (deed.kind === 'copy') return copyVin(deed.known.order.vin);
  const changes = changesOf(ways.client);
  if (deed.kind === 'status') return changes.status(deed.roNumber, deed.status, deed.known);

  const outcome = await send(changes, deed);
  if (outcome.kind === 'stale') askAgain(deed.kind, deed.known.order, ways);
}

type Change = Exclude<Deed, { kind: 'details' } | { kind: 'copy' } | { kind: 'status' }>;

function send(changes: Changes, deed: Change): Promise<Outcome> {
  const { order, version } = deed.known;
  const seen = { roNumber: order.key, version };
  switch (deed.kind) {
    case 'priority':
      return changes.priority(seen, deed.priority);
    case 'dispatch':
    case 'add':
      return changes.assign(seen, deed.technician.id);
    case 'remove':
      return changes.unassign(seen, deed.technician.id);
    case 'reassign':
      return changes.reassign(seen, deed.from.id, deed.technician.id);
  }
}

/** Somebody changed it in that moment: the user decides once more, on the order as it is now. */
function askAgain(kind: AskedDialog['kind'], { key, roNumber }: RepairOrder, ways: Ways): void {
  const now = pictureOf(ways.client).open.get(key);
  const dialog = now && dialogFor(kind, now.order);
  if (dialog === undefined) {
    const text =
      now === undefined
        ? i18n.t('toast.orderUnknown', { number: roNumber })
        : i18n.t('palette.nobodyOn', { number: roNumber });
    showToast({ tone: 'destructive', text });
    return;
  }
  ways.goToDesk();
  openDialog(dialog);
}

function dialogFor(kind: AskedDialog['kind'], { key, technicians }: RepairOrder): AskedDialog | undefined {
  if (kind === 'priority') return { kind, order: key };
  const assigned = technicians.length > 0;
  if (kind === 'remove') return assigned ? { kind, order: key } : undefined;
  if (!assigned) return { kind: 'dispatch', orders: [key] };
  return { kind: kind === 'reassign' ? kind : 'add', order: key };
}

function copyVin(vin: string): Promise<void> {
  return copyText(vin).then(
    () => showToast({ text: i18n.t('toast.vinCopied') }),
    () => showToast({ tone: 'destructive', text: i18n.t('toast.vinNotCopied') }),
  );
}
