import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { toRepairOrder } from '../repair-order/order.ts';
import { type AssignmentState, useAssignmentStates } from '../repair-order/receipts.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { Toasts } from '../ui/toasts.tsx';
import { Assignment, Jobs, VinWithCopy } from './order-fields.tsx';

vi.mock('../repair-order/receipts.ts', async (original) => ({
  ...(await original<typeof import('../repair-order/receipts.ts')>()),
  useAssignmentStates: vi.fn(() => []),
}));

const VIN = '1HGCM82633A004352';

/** What plain HTTP leaves of copying. */
function overPlainHttp(copies: () => boolean) {
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
  document.execCommand = vi.fn(copies);
}

afterEach(() => {
  Reflect.deleteProperty(document, 'execCommand');
});

async function copyVin() {
  const user = userEvent.setup({ writeToClipboard: false });
  render(
    <>
      <VinWithCopy vin={VIN} />
      <Toasts region="Notifications" one="Notification" closeLabel="Dismiss" />
    </>,
  );
  return user;
}

describe('over plain HTTP the VIN', () => {
  test('is copied by the legacy API', async () => {
    const user = await copyVin();
    let selected: string | undefined;
    overPlainHttp(() => {
      selected = document.querySelector('textarea')?.value;
      return true;
    });
    await user.click(screen.getByRole('button', { name: `Copy VIN ${VIN}` }));
    expect(await screen.findByText('VIN copied to clipboard')).toBeInTheDocument();
    expect(selected).toBe(VIN);
    expect(document.querySelector('textarea')).toBeNull();
  });

  test('shows a message when it could not be copied', async () => {
    const user = await copyVin();
    overPlainHttp(() => false);
    await user.click(screen.getByRole('button', { name: `Copy VIN ${VIN}` }));
    expect(await screen.findByText('The VIN could not be copied')).toBeInTheDocument();
  });
});

test('a job without an opcode is a dash among the codes, and is heard as words', () => {
  const jobs = ['BRKF', '', 'TIRE4'].map((operationCode, place) => ({
    jobNumber: place + 1,
    concern: '',
    operations: [{ operationCode, operationDesciption: '', soldHours: null }],
  }));
  render(<Jobs order={toRepairOrder([row(1, { jobs })])} />);
  const [, without] = screen.getAllByRole('listitem');
  expect(without?.querySelector('[aria-hidden].select-none')).toBeEmptyDOMElement();
  expect(without).toHaveTextContent(/^2\. ?No opcode$/);
  expect(screen.getByText('No opcode')).toHaveClass('sr-only');
  // A code is in one piece.
  expect(screen.getByText('TIRE4').parentElement).toHaveClass('whitespace-nowrap');
});

test('a mark of the assignment takes room beside the names, which are cut with an ellipsis and whole in the title', () => {
  const late: AssignmentState = {
    ...{ technician: 1112, stage: 'sent', at: 0, assignedAt: 0 },
    ...{ isWaitedFor: true, late: true, reason: null },
  };
  vi.mocked(useAssignmentStates).mockReturnValue([late]);
  const order = toRepairOrder([
    row(1, { regularIdTechnician: 1112, regularTechFullName: 'Bo Li', advisor: 'Tamika Jones-Baptiste' }),
  ]);
  render(<Assignment order={order} readOnly />);
  const mark = screen.getByRole('img', { name: /^Bo Li: Not accepted since/ });
  expect(mark).toHaveTextContent('Not accepted');
  // Floating, it would lie over a name.
  for (let part: Element | null = mark; part !== null; part = part.parentElement)
    expect(part.className).not.toContain('absolute');
  expect(screen.getByText(/Tamika Jones-Baptiste/)).toHaveClass('truncate');
  expect(screen.getByTitle(/Advisor: Tamika Jones-Baptiste/)).toContainElement(mark);
});
