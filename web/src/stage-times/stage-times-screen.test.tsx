import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import { fetchStages, fetchTimeInStages } from '../api/stages.ts';
import { someStages } from '../repair-order/stages.fixture.ts';
import { saveCsv } from '../ui/csv.ts';
import { StageTimesScreen } from './stage-times-screen.tsx';
import { someTotals } from './totals.fixture.ts';

vi.mock('../api/socket.ts', () => ({ onSocketMessage: () => () => undefined }));
vi.mock('../api/stages.ts', () => ({ fetchStages: vi.fn(), fetchTimeInStages: vi.fn() }));
vi.mock('../ui/csv.ts', async (original) => ({
  ...(await original<typeof import('../ui/csv.ts')>()),
  saveCsv: vi.fn(),
}));
const session = vi.hoisted(() => ({ maySee: true }));
vi.mock('../auth/use-session.ts', () => ({
  usePermission: (permission: string) => permission === 'see-all-technicians' && session.maySee,
}));

let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  user = userEvent.setup();
  session.maySee = true;
  vi.mocked(fetchStages).mockReset().mockResolvedValue(someStages);
  vi.mocked(fetchTimeInStages).mockReset().mockResolvedValue(someTotals());
  vi.mocked(saveCsv).mockReset();
});

function open(address = '/stage-times') {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[address]}>
        <Routes>
          <Route path="/stage-times" element={<StageTimesScreen />} />
          <Route path="/dashboard" element="the desk" />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const rowsOf = async (name: string) => {
  const rows = within(await screen.findByRole('table', { name })).getAllByRole('row');
  return rows.slice(1).map((row) => [...row.children].map((cell) => cell.textContent));
};

test('each stage has its hours, cars and stays in words', async () => {
  open();
  expect(await rowsOf('By stage')).toEqual([
    ['Waiting for parts', '30.0', '', '2', '1 h 30 min', '1 d 2 h', '3', '2'],
    ['In work', '10.0', '', '1', '1 h 30 min', '–', '–', '–'],
    ['Not known', '2.0', '', '1', '–', '–', '–', '–'],
  ]);
  expect(screen.getByText('4 cars')).toHaveRole('status');
});

test('bars are on one scale, in the stages’ colours, and divided by day', async () => {
  open();
  const row = (await screen.findByRole('rowheader', { name: 'Waiting for parts' })).closest('tr');
  const pieces = [...(row?.querySelectorAll('[title]') ?? [])];
  expect(pieces.map((piece) => piece.getAttribute('title'))).toEqual([
    'Mon 16 Nov: 24.0 h',
    'Tue 17 Nov: 6.0 h',
  ]);
  for (const piece of pieces) expect(piece).toHaveClass('bg-waiting');
  expect(pieces[0]?.parentElement).toHaveStyle({ width: 'max(2px, 100%)' });
});

test('what is not known is on no scale and has no bar', async () => {
  open();
  const row = (await screen.findByRole('rowheader', { name: 'Not known' })).closest('tr');
  expect(row?.querySelector('[title]')).toBeNull();
  const advisor = screen.getByRole('rowheader', { name: '=Dana Whitfield' }).closest('tr');
  const pieces = [...(advisor?.querySelectorAll('[title]') ?? [])];
  expect(pieces.map((piece) => piece.getAttribute('title'))).toEqual([
    'Waiting for parts 30.0 h',
    'In work 10.0 h',
  ]);
  expect(pieces[0]?.parentElement).toHaveStyle({ width: 'max(2px, 100%)' });
});

test('who has the most hours comes first, nobody last, and the screen says how two count', async () => {
  open();
  expect(await rowsOf('By technician')).toEqual([
    ['Jean-Luc Fournier', '34.0', 'Waiting for parts 30.0 h, In work 4.0 h', '2', 'Waiting for parts 30.0 h'],
    ['Ann Kowalczyk', '10.0', 'In work 10.0 h', '1', 'In work 10.0 h'],
    ['Nobody', '50.0', 'Not known 50.0 h', '1', 'Not known 50.0 h'],
  ]);
  expect(screen.getByText(/A car that two have counts for both/)).toBeVisible();
  // What nobody had is in no bar, and neither are Dana Whitfield's two hours.
  expect(screen.getAllByText(/Hours whose stage is not known are in no bar\./)).toHaveLength(2);
  expect((await rowsOf('By advisor')).map(([name]) => name)).toEqual(['=Dana Whitfield']);
});

test('the days are in words where they are asked for', async () => {
  open();
  const button = await screen.findByRole('button', { name: 'Show days' });
  expect(button).toHaveAttribute('aria-expanded', 'false');
  await user.click(button);
  const region = screen.getByRole('region', { name: 'Hours by day' });
  const rows = within(region).getAllByRole('row').slice(1);
  expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
    ['Mon 16 Nov', '24.0', '–', '2.0', '26.0'],
    ['Tue 17 Nov', '6.0', '10.0', '–', '16.0'],
  ]);
});

test('days are read from the address, and chosen ones are asked for', async () => {
  open('/stage-times?from=2026-11-16&to=2026-11-17');
  await screen.findByRole('table', { name: 'By stage' });
  const asked = () => vi.mocked(fetchTimeInStages).mock.lastCall?.[0];
  expect(asked()).toEqual({ from: '2026-11-16', to: '2026-11-17' });
  await user.click(screen.getByRole('button', { name: 'Last week' }));
  await waitFor(() => expect(asked()).not.toEqual({ from: '2026-11-16', to: '2026-11-17' }));
  expect(screen.getByRole('button', { name: 'Last week' })).toHaveAttribute('aria-pressed', 'true');
});

test('the file has a line for each figure’s subject, and no formula', async () => {
  open();
  await user.click(await screen.findByRole('button', { name: 'Download CSV' }));
  const [name, text = ''] = vi.mocked(saveCsv).mock.lastCall ?? [];
  expect(name).toBe('stage-times-2026-11-16-2026-11-17.csv');
  const lines = text.split('\r\n');
  expect(lines[1]).toBe('"Stage","","","Waiting for parts","30.00","2","12","2","3","1.50","26.00"');
  expect(lines).toContain('"Day","","2026-11-17","In work","10.00","","","","","",""');
  expect(lines).toContain('"Technician","Nobody","","Not known","50.00","","","","","",""');
  expect(lines).toContain('"Advisor","\'=Dana Whitfield","","In work","10.00","","","","","",""');
  expect(new Set(lines.filter((line) => line !== '').map((line) => line.split('","').length))).toEqual(
    new Set([11]),
  );
});

test('days that are not known any more are said, and days without cars, too', async () => {
  vi.mocked(fetchTimeInStages).mockResolvedValue(
    someTotals({ knownFrom: '2026-11-17', stages: [], technicians: [], advisors: [], cars: 0 }),
  );
  open();
  expect(await screen.findByText(/known and counted from Tue 17 Nov on/)).toBeVisible();
  expect(screen.getByText('No hours to show for these days')).toHaveRole('status');
  expect(screen.getByRole('button', { name: 'Download CSV' })).toBeDisabled();
});

test('a failed load says why, and is tried again', async () => {
  vi.mocked(fetchTimeInStages).mockRejectedValueOnce(
    new ApiError(503, 'unavailable', 'The database is away'),
  );
  open();
  expect(await screen.findByRole('alert')).toHaveTextContent('The hours could not be loaded');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('table', { name: 'By stage' })).toBeVisible();
});

test('without the permission, and in a shop without stages, there is only the desk', async () => {
  session.maySee = false;
  open();
  expect(await screen.findByText('the desk')).toBeVisible();
  expect(fetchTimeInStages).not.toHaveBeenCalled();
  session.maySee = true;
  vi.mocked(fetchStages).mockResolvedValue({ ...someStages, enabled: false });
  open();
  await waitFor(() => expect(screen.getAllByText('the desk')).toHaveLength(2));
});
