// Executes a command on the order as the user saw it. The changes show their own toasts.
import type { QueryClient } from '@tanstack/react-query';
import { i18n } from '../i18n/i18n.ts';
import { changesOf } from '../repair-order/change-execution.ts';
import type { Choice, OrderChange } from '../repair-order/choice.ts';
import { cachedOrders } from '../repair-order/live-orders.ts';
import { currentDialog, type OpenDialog, openDialog, openWhenNoneIs } from '../repair-order/open-dialog.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { displayedStatuses } from '../repair-order/statuses.ts';
import { copyText } from '../ui/clipboard.ts';
import { showToast } from '../ui/toaster.ts';
import { afterPalette } from './after-palette.ts';
import type { Command } from './commands.ts';

interface CommandContext {
  client: QueryClient;
  openDetails(key: number): void;
  /** The details at the first of the order's stories. */
  openStory(key: number): void;
  /** The screen whose dialogs these are. */
  goToDesk(): void;
}

export async function executeCommand(command: Command, context: CommandContext): Promise<void> {
  if (command.kind === 'details') return context.openDetails(command.cached.order.key);
  if (command.kind === 'story') return context.openStory(command.cached.order.key);
  if (command.kind === 'copy') return copyVin(command.cached.order.vin);
  if (command.kind === 'hold') {
    context.goToDesk();
    return afterPalette(() => openDialog({ kind: 'hold', order: command.cached.order.key, hold: null }));
  }
  // What is asked is on the desk, where the user is brought.
  const changes = changesOf(context.client, () => true);
  if (command.kind === 'stage' || command.kind === 'endHold') {
    await changes.pick(command.cached, stageChoice(command));
    goToQuestion(context);
    return;
  }
  if (command.kind === 'batch') {
    const orders = command.orders.map(({ order, version }) => ({ roNumber: order.key, version }));
    await changes.dispatch([{ technician: command.technician.id, orders }]);
    return;
  }
  if (command.kind === 'status') {
    await pickStatus(command, context.client);
    goToQuestion(context);
    return;
  }

  const { order, version } = command.cached;
  const outcome = await changes.send({ roNumber: order.key, version }, changeOf(command));
  if (outcome.kind === 'stale') openDecisionDialog(command.kind, command.cached.order, context);
}

/** A change that could not be made without asking: the question is on the desk. */
function goToQuestion(context: CommandContext): void {
  const kind = currentDialog()?.kind;
  if (kind === 'conflict' || kind === 'end-holds') context.goToDesk();
}

function stageChoice(command: Extract<Command, { kind: 'stage' | 'endHold' }>): Choice {
  if (command.kind === 'endHold') return { field: 'holds', action: 'end', hold: command.hold.id };
  const { id: stage, name } = command.stage;
  return { field: 'stage', stage, name, endHolds: false };
}

type ChangeCommand = Extract<Command, { kind: 'priority' | 'dispatch' | 'add' | 'remove' | 'reassign' }>;

function changeOf(command: ChangeCommand): OrderChange {
  if (command.kind === 'priority') return { field: 'priority', priority: command.priority };
  const { technician } = command;
  switch (command.kind) {
    case 'dispatch':
    case 'add':
      return { field: 'technicians', action: 'assign', technician };
    case 'remove':
      return { field: 'technicians', action: 'unassign', technician };
    case 'reassign':
      return { field: 'technicians', action: 'reassign', from: command.from, technician };
  }
}

async function pickStatus(
  { roNumber, status: typed, cached }: Extract<Command, { kind: 'status' }>,
  client: QueryClient,
): Promise<void> {
  const status = displayedStatuses.find((one) => one === typed);
  if (status === undefined) {
    showToast({ tone: 'destructive', text: i18n.t('toast.statusInvalid', { status: typed }) });
    return;
  }
  const { open } = cachedOrders(client);
  const shown = cached ?? open.get(roNumber);
  if (shown === undefined || !open.has(roNumber)) {
    showToast({ tone: 'destructive', text: i18n.t('toast.orderUnknown', { number: roNumber }) });
    return;
  }
  await changesOf(client, () => true).pick(shown, { field: 'status', status });
}

/** Somebody changed the order meanwhile: the user decides again in the dialog, on the current order. */
function openDecisionDialog(
  kind: OpenDialog['kind'],
  { key, roNumber }: RepairOrder,
  context: CommandContext,
): void {
  const now = cachedOrders(context.client).open.get(key);
  const dialog = now && dialogFor(kind, now.order);
  if (dialog === undefined) {
    const text =
      now === undefined
        ? i18n.t('toast.orderUnknown', { number: roNumber })
        : i18n.t('palette.nobodyOn', { number: roNumber });
    showToast({ tone: 'destructive', text });
    return;
  }
  openWhenNoneIs(dialog);
  if (currentDialog() === dialog) context.goToDesk();
}

function dialogFor(kind: OpenDialog['kind'], { key, technicians }: RepairOrder): OpenDialog | undefined {
  if (kind === 'priority') return { kind, order: key };
  const assigned = technicians.length > 0;
  if (kind === 'remove') return assigned ? { kind, order: key } : undefined;
  if (!assigned) return { kind: 'dispatch', orders: [key] };
  return { kind: kind === 'reassign' ? kind : 'add', order: key };
}

function copyVin(vin: string): Promise<void> {
  return copyText(vin).then(
    () => void showToast({ text: i18n.t('toast.vinCopied') }),
    () => void showToast({ tone: 'destructive', text: i18n.t('toast.vinNotCopied') }),
  );
}
