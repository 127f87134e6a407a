import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import { type Details, type DetailsJob, fetchDetails } from '../api/repair-orders.ts';
import { Toasts } from '../ui/toasts.tsx';
import { DetailsDialog, EXTERNAL_ASSIGNMENT_SOURCE } from './details-dialog.tsx';
import { openOrders } from './live-orders.ts';
import { emptyOrderCache, landList } from './order-cache.ts';
import { row } from './rows.fixture.ts';

vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchDetails: vi.fn(),
}));

const fetched = vi.mocked(fetchDetails);
beforeEach(() => void fetched.mockReset());

function show() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows: [row(7)], seq: 1 }, 0));
  render(
    <QueryClientProvider client={client}>
      <DetailsDialog
        roNumber={7}
        Story={({ job }) => <p>{`Story of job ${job.jobNumber}: ${job.techStory}`}</p>}
        close={() => undefined}
      />
      <Toasts region="Notifications" one="Notification" closeLabel="Dismiss" />
    </QueryClientProvider>,
  );
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
