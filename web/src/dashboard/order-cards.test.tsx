import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { closeDialog, currentDialog } from '../repair-order/open-dialog.ts';
import { toRepairOrder } from '../repair-order/order.ts';
import { row } from '../repair-order/rows.fixture.ts';
import type { FrozenRow } from './frozen-row-order.ts';
import { OrderCards } from './order-cards.tsx';
import { clearSelection, selection, useSelection } from './selection.ts';

const technician = { regularIdTechnician: 1, regularTechFullName: 'Ana Ruiz' };

// Loaded when first asked for; here beforehand, so that no test waits for it.
beforeAll(async () => {
  await import('./card-actions-items.tsx');
}, 120_000);
beforeEach(() => {
  // jsdom has no layout: without a height no card would be in sight.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(800);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(390);
});
afterEach(() => {
  closeDialog();
  act(clearSelection);
});

function frozenRow(roNumber: number, changes = {}, removalKind: FrozenRow['removal'] = null): FrozenRow {
  return {
    cached: { order: toRepairOrder([row(roNumber, changes)]), version: 1, seq: 1, changedAt: 0, by: null },
    removal: removalKind,
  };
}

function Cards({ rows, selectable }: { rows: FrozenRow[]; selectable: boolean }) {
  const selected = useSelection();
  const may = { status: true, priority: true, dispatch: true };
  return <OrderCards rows={rows} may={may} selected={selectable ? selected : null} foot={0} />;
}

function show(rows: FrozenRow[], selectable = false) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <Cards rows={rows} selectable={selectable} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return screen.getAllByRole('article');
}

const namesOf = (card: HTMLElement | undefined) =>
  within(card ?? document.body)
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label'));

test('a card has the tag of its car, if there is one', () => {
  const [tagged, other] = show([frozenRow(2, { tagNumber: 'T118' }), frozenRow(1)]);
  expect(tagged).toHaveTextContent('Tag T118');
  expect(other).not.toHaveTextContent('Tag');
});

test('a card has one primary action, within the thumb’s reach, and the others in its menu', async () => {
  const user = userEvent.setup();
  const [unassigned, assigned] = show([frozenRow(2), frozenRow(1, technician)]);
  expect(namesOf(unassigned).at(-1)).toBe('Dispatch RO 2');
  expect(namesOf(assigned).slice(-2)).toEqual(['Reassign technician of RO 1', 'Other actions for RO 1']);
  await user.click(screen.getByRole('button', { name: 'More about RO 1' }));
  expect(namesOf(assigned)).toContain('Copy VIN 1HGCM82633A004352');
  expect(within(assigned ?? document.body).getByText('No jobs assigned')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Other actions for RO 1' }));
  expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual([
    'Add technician to RO 1',
    'Remove technician from RO 1',
  ]);
  await user.click(screen.getByRole('menuitem', { name: 'Add technician to RO 1' }));
  expect(currentDialog()).toEqual({ kind: 'add', order: 1 });
});

test('a double click on a card’s button does what one click does', async () => {
  const [unassigned] = show([frozenRow(2)]);
  await userEvent.dblClick(
    within(unassigned ?? document.body).getByRole('button', { name: 'More about RO 2' }),
  );
  expect(screen.getByRole('button', { name: 'Less about RO 2' })).toHaveAttribute('aria-expanded', 'true');
});

test('cards can be ticked where the list allows it', async () => {
  show([frozenRow(2), frozenRow(1)], true);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select RO 1' }));
  expect([...selection()]).toEqual([1]);
});

test('a card that is only kept in place says why and offers no actions', () => {
  const [card] = show([frozenRow(2, technician, 'closed')], true);
  expect(card).toHaveTextContent(/^Closed/);
  expect(namesOf(card)).toEqual(['Copy VIN 1HGCM82633A004352']);
  expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
});
