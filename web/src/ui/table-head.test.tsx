import { createColumnHelper, useTable } from '@tanstack/react-table';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useMemo } from 'react';
import { MemoryRouter, useLocation } from 'react-router';
import { expect, test } from 'vitest';
import { features, textOrder, useSortParam } from './sortable-table.ts';
import { TableHead } from './table-head.tsx';

interface Bay {
  name: string;
  lift: string;
}

const bays: Bay[] = [
  { name: 'Bay 10', lift: 'two-post' },
  { name: 'Bay 2', lift: '' },
  { name: 'Älter', lift: 'scissor' },
];
const column = createColumnHelper<typeof features, Bay>();
const byText = { sortFn: textOrder('de'), sortUndefined: 'last' } as const;
const columns = column.columns([
  column.accessor('name', { ...byText, header: 'Bay' }),
  column.accessor(({ lift }) => lift || undefined, { ...byText, id: 'lift', header: 'Lift' }),
  column.display({ id: 'actions', header: 'Actions' }),
]);
const ids = ['name', 'lift'];

function Bays({ hidden }: { hidden: string }) {
  const [sorting, onSortingChange] = useSortParam(ids);
  const state = useMemo(() => ({ sorting, columnVisibility: { [hidden]: false } }), [sorting, hidden]);
  const table = useTable({ features, columns, data: bays, sortDescFirst: false, state, onSortingChange });
  return (
    <>
      <table>
        <TableHead table={table} />
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id}>
              <td>{row.original.name}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <output>{useLocation().search}</output>
    </>
  );
}

function open(address = '/bays', hidden = '') {
  render(
    <MemoryRouter initialEntries={[address]}>
      <Bays hidden={hidden} />
    </MemoryRouter>,
  );
}

const head = (name: string) => screen.getByRole('columnheader', { name });
const names = () => screen.getAllByRole('cell').map((one) => one.textContent);

test('a name sorts ascending, descending, and not at all, by key as by click', async () => {
  const user = userEvent.setup();
  open();
  expect(head('Bay')).toHaveAttribute('aria-sort', 'none');
  await user.tab();
  expect(within(head('Bay')).getByRole('button', { name: 'Bay' })).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(head('Bay')).toHaveAttribute('aria-sort', 'ascending');
  expect(names()).toEqual(['Älter', 'Bay 2', 'Bay 10']);
  await user.click(within(head('Bay')).getByRole('button'));
  expect(head('Bay')).toHaveAttribute('aria-sort', 'descending');
  expect(names()).toEqual(['Bay 10', 'Bay 2', 'Älter']);
  await user.keyboard(' ');
  expect(head('Bay')).toHaveAttribute('aria-sort', 'none');
  expect(names()).toEqual(['Bay 10', 'Bay 2', 'Älter']);
});

test('what is empty comes last in both directions', async () => {
  open('/bays?sort=lift');
  expect(names()).toEqual(['Älter', 'Bay 10', 'Bay 2']);
  await userEvent.click(within(head('Lift')).getByRole('button'));
  expect(names()).toEqual(['Bay 10', 'Älter', 'Bay 2']);
});

test('the sort order is in the address, beside what else is there', async () => {
  open('/bays?sort=-name&q=1');
  expect(head('Bay')).toHaveAttribute('aria-sort', 'descending');
  await userEvent.click(within(head('Lift')).getByRole('button'));
  expect(screen.getByRole('status')).toHaveTextContent('?sort=lift&q=1');
  await userEvent.click(within(head('Lift')).getByRole('button'));
  await userEvent.click(within(head('Lift')).getByRole('button'));
  expect(screen.getByRole('status')).toHaveTextContent('?q=1');
});

test('an address with a column that does not exist does not sort', () => {
  open('/bays?sort=actions');
  expect(names()).toEqual(['Bay 10', 'Bay 2', 'Älter']);
  expect(head('Actions')).not.toHaveAttribute('aria-sort');
  expect(within(head('Actions')).queryByRole('button')).not.toBeInTheDocument();
});

test('a hidden column has no head', () => {
  open('/bays', 'lift');
  expect(screen.getAllByRole('columnheader').map((one) => one.textContent)).toEqual(['Bay', 'Actions']);
});
