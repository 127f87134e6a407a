import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import {
  type ChangedResult,
  type Details,
  type DetailsJob,
  fetchDetails,
  type Row,
} from '../api/repair-orders.ts';
import { fetchStageStrip, fetchStages } from '../api/stages.ts';
import { Toasts } from '../ui/toasts.tsx';
import { landResults } from './change-results.ts';
import { noPermissions, openDetails, plainControls } from './details.fixture.ts';
import { EXTERNAL_ASSIGNMENT_SOURCE } from './details-jobs.tsx';
import { openOrders } from './live-orders.ts';
import { emptyOrderCache, landList } from './order-cache.ts';
import { type OpenDetails, OrderDetails } from './order-details.tsx';
import { row } from './rows.fixture.ts';
import { someStages } from './stages.fixture.ts';

vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchDetails: vi.fn(),
}));

vi.mock('../api/stages.ts', async (original) => ({
  ...(await original<typeof import('../api/stages.ts')>()),
  fetchStages: vi.fn(),
  fetchStageStrip: vi.fn(),
}));

const fetched = vi.mocked(fetchDetails);
beforeEach(() => void fetched.mockReset());

function show(changes: Partial<OpenDetails> = {}, rows: Row[] = [row(7)]) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows, seq: 1 }, 0));
  render(
    <QueryClientProvider client={client}>
      <OrderDetails
        details={openDetails(7, changes)}
        may={noPermissions}
        controls={plainControls}
        Story={({ job }) => <p>{`Story of job ${job.jobNumber}: ${job.techStory}`}</p>}
      />
      <Toasts region="Notifications" one="Notification" closeLabel="Dismiss" />
    </QueryClientProvider>,
  );
  return client;
}

function details(jobs: Partial<DetailsJob>[]): Details {
  const { regularIdTechnician, regularTechFullName, ETLIdTechnician, ETLTechFullName, source, ...order } =
    row(7);
  return {
    ...order,
    closedDateTime: null,
    jobs: jobs.map((job) => ({
      jobNumber: 1,
      concern: '',
      cause: '',
      briefTechNotes: '',
      techStory: '',
      operations: [],
      assignments: [],
      ...job,
    })),
  };
}

test('shows vehicle, VIN, customer and the jobs by number', async () => {
  fetched.mockResolvedValue(
    details([
      {
        jobNumber: 2,
        concern: 'Squeaks',
        operations: [{ operationCode: 'BRKF', operationDesciption: 'Front brakes', soldHours: 1.8 }],
      },
      { jobNumber: 1, techStory: 'Verified and repaired.' },
    ]),
  );
  show();
  const dialog = await screen.findByRole('dialog', { name: 'Repair Order #7 Details' });
  expect(await within(dialog).findByText('2021 Honda Accord EX')).toBeInTheDocument();
  expect(within(dialog).getByText('1HGCM82633A004352')).toBeInTheDocument();
  expect(within(dialog).getByText('Smith, Jo')).toBeInTheDocument();
  const [first, second] = within(dialog).getAllByRole('listitem');
  expect(first).toHaveTextContent(
    /No OpCode.*No concern noted.*No technicians assigned.*Story of job 1: Verified and repaired\./,
  );
  expect(second).toHaveTextContent(/BRKF.*Concern: Squeaks.*Story of job 2:/);
});

test('a story of a closed order is shown as soon as it is saved', async () => {
  const closed = (version: number, techStory: string) => ({
    ...details([{ techStory }]),
    version,
    closedDateTime: '2026-03-03T14:00:00Z',
  });
  fetched.mockResolvedValue(closed(4, ''));
  const client = show({}, []);
  expect(await screen.findByText('Story of job 1:')).toBeInTheDocument();
  fetched.mockResolvedValue(closed(5, 'Replaced the link.'));
  // As the answer to the change has it: a closed order has no rows.
  act(() => void landResults(client, [{ ok: true, roNumber: 7, rows: [], version: 5, seq: 9 }]));
  expect(await screen.findByText('Story of job 1: Replaced the link.')).toBeInTheDocument();
});

test('says where the hours went, in a shop with stages', async () => {
  vi.mocked(fetchStages).mockResolvedValue(someStages);
  vi.mocked(fetchStageStrip).mockResolvedValue({
    from: '2026-03-02T09:00:00Z',
    to: '2026-03-02T11:15:00Z',
    spans: [
      { from: '2026-03-02T09:00:00Z', to: '2026-03-02T10:30:00Z', stage: 'to-be-dispatched' },
      { from: '2026-03-02T10:30:00Z', to: '2026-03-02T11:15:00Z', stage: 'in-work' },
    ],
  });
  fetched.mockResolvedValue({ ...details([]), stage: 'in-work' });
  show();
  const strip = await screen.findByRole('region', { name: 'Where the hours went' });
  expect(await within(strip).findByText('To be dispatched')).toBeInTheDocument();
  expect(strip).toHaveTextContent(/To be dispatched.*1 h 30 min.*In work.*45 min/);
});

test('shows the tag of a car that has one', async () => {
  fetched.mockResolvedValueOnce({ ...details([]), tagNumber: 'T118' });
  show();
  expect((await screen.findByText('Tag')).nextElementSibling).toHaveTextContent(/^T118$/);
});

test('names only the technicians that the dealer system assigned', async () => {
  fetched.mockResolvedValue(
    details([
      {
        assignments: [
          { source: EXTERNAL_ASSIGNMENT_SOURCE, firstName: 'Ana' },
          { source: 'Regular', firstName: 'Bo' },
          { source: EXTERNAL_ASSIGNMENT_SOURCE, firstName: 'Cy' },
        ],
      },
    ]),
  );
  show();
  expect(await screen.findByText('Ana, Cy')).toBeInTheDocument();
});

test('shows a message when there are no jobs', async () => {
  fetched.mockResolvedValue(details([]));
  show();
  expect(await screen.findByText('No job details available')).toBeInTheDocument();
});

test('shows a message and the reason when the details could not be fetched', async () => {
  fetched.mockRejectedValue(new ApiError(503, 'unavailable', 'The database is away.'));
  show();
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeInTheDocument();
  expect(await screen.findAllByText(/Failed to fetch job details/)).not.toHaveLength(0);
});

test('details that cannot be brought up to date stay, with what is open in them', async () => {
  fetched.mockResolvedValueOnce(details([{ techStory: 'Replaced the link.' }]));
  const client = show();
  const story = await screen.findByText(/Replaced the link/);
  fetched.mockRejectedValueOnce(new ApiError(503, 'unavailable', 'The database is away.'));
  const changed: ChangedResult = {
    ok: true,
    roNumber: 7,
    rows: [row(7, { version: 2 })],
    version: 2,
    seq: 9,
  };
  act(() => void landResults(client, [changed]));
  const dialog = within(screen.getByRole('dialog'));
  expect(await dialog.findByRole('alert')).toHaveTextContent(/^Failed to fetch job details/);
  // The same one: a dialog that is open in it is.
  expect(screen.getByText(/Replaced the link/)).toBe(story);
  fetched.mockResolvedValueOnce({ ...details([{ techStory: 'And torqued it.' }]), version: 2 });
  fireEvent.click(dialog.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(/And torqued it/)).toBe(story);
  expect(dialog.queryByRole('alert')).toBeNull();
});

test('beside the list the details are a region, which the order before and after replace', async () => {
  fetched.mockResolvedValue(details([]));
  const open = vi.fn();
  show({ beside: true, steps: { previous: null, next: 8, position: 1, count: 2 }, open });
  const pane = await screen.findByRole('region', { name: 'Repair Order #7 Details' });
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(screen.getByText('RO 7 is open, 1 of 2')).toHaveAttribute('role', 'status');
  fireEvent.click(within(pane).getByRole('button', { name: 'Next order' }));
  expect(open).toHaveBeenCalledWith(8);
  const previous = within(pane).getByRole('button', { name: 'Previous order' });
  expect(previous).toHaveAttribute('aria-disabled', 'true');
  fireEvent.click(previous);
  expect(open).toHaveBeenCalledTimes(1);
});

test('the vehicle and the customer are there before the jobs', () => {
  fetched.mockReturnValue(new Promise(() => undefined));
  show();
  expect(screen.getByText('2021 Honda Accord EX')).toBeInTheDocument();
  expect(screen.getByText('Loading job details...')).toBeInTheDocument();
});

test('each job is copied by itself', async () => {
  const copied = vi.fn(async (_: string) => undefined);
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: copied } });
  fetched.mockResolvedValue(
    details([
      { jobNumber: 1, concern: 'Rattles' },
      {
        jobNumber: 2,
        concern: ' Squeaks ',
        operations: [{ operationCode: 'BRKF', operationDesciption: 'Front brakes', soldHours: 1.8 }],
        techStory: 'The pads were worn.',
      },
    ]),
  );
  show();
  fireEvent.click(await screen.findByRole('button', { name: 'Copy job 2' }));
  expect(copied).toHaveBeenCalledExactlyOnceWith(
    '2. BRKF Front brakes\nConcern: Squeaks\nTechnician Story: The pads were worn.',
  );
  expect(await screen.findAllByText('Job 2 copied to clipboard')).not.toHaveLength(0);
  vi.unstubAllGlobals();
});
