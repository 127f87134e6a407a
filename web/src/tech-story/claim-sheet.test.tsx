import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { fetchTimeOnOrder } from '../api/clock.ts';
import { ApiError } from '../api/http.ts';
import type { Details } from '../api/repair-orders.ts';
import { fetchVersions } from '../api/tech-stories.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { copyText } from '../ui/clipboard.ts';
import { saveFile } from '../ui/save-file.ts';
import { ClaimSheet } from './claim-sheet.tsx';
import { claim, storyJob, storyVersion } from './story.fixture.ts';
import { type StorySource, StorySourceContext } from './story-source.ts';
import { VersionsSheet } from './versions-sheet.tsx';

vi.mock('../api/clock.ts', async (original) => ({
  ...(await original<typeof import('../api/clock.ts')>()),
  fetchTimeOnOrder: vi.fn(),
}));
vi.mock('../api/tech-stories.ts', async (original) => ({
  ...(await original<typeof import('../api/tech-stories.ts')>()),
  fetchVersions: vi.fn(),
}));
// The dates are the shop's, wherever the test runs.
vi.mock('../shop/shop.ts', async (original) => {
  const { shop } = await original<typeof import('../shop/shop.ts')>();
  return { shop: { ...shop, timeZone: 'America/Chicago' } };
});
vi.mock('../ui/clipboard.ts', () => ({ copyText: vi.fn() }));
vi.mock('../ui/save-file.ts', () => ({ saveFile: vi.fn() }));

const STORY = 'Complaint:\nRattle.\n\nCause:\nLink worn.\n\nCorrection:\nReplaced the link.';
const job = storyJob({
  techStory: STORY,
  operations: [{ operationCode: 'SUSP', operationDesciption: 'Suspension', soldHours: 1.5 }],
});
const time = (jobNumber: number, technicianName: string, hours: number) => ({
  jobNumber,
  technicianId: jobNumber,
  technicianName,
  clockedMs: hours * 3_600_000,
});

beforeEach(() => {
  vi.mocked(copyText).mockReset().mockResolvedValue();
  vi.mocked(saveFile).mockReset();
  vi.mocked(fetchTimeOnOrder).mockReset();
  vi.mocked(fetchTimeOnOrder).mockResolvedValue([time(1, 'Jo Lee', 1.2), time(2, 'Al Fox', 3)]);
  vi.mocked(fetchVersions).mockReset();
  vi.mocked(fetchVersions).mockResolvedValue([
    storyVersion(9, {
      current: true,
      claim: claim({ operationCode: 'SUSP', causalPart: 'sway bar link', mileage: '41,250 mi' }),
    }),
    storyVersion(3, { claim: claim({ causalPart: 'strut' }) }),
  ]);
});

function show(changes: Partial<Details> = {}) {
  const { regularIdTechnician, regularTechFullName, ETLIdTechnician, ETLTechFullName, source, ...order } =
    row(7);
  const details = { ...order, closedDateTime: null, jobs: [job], ...changes };
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <ClaimSheet details={details} job={job} close={vi.fn()} />
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

/** jsdom's Blob has no `text`. */
const textOf = (file: Blob) =>
  new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsText(file);
  });
const button = (name: string) => screen.findByRole('button', { name });

test("shows the current story's fields beside the order's, its technicians and the story", async () => {
  show();
  await button('Print');
  const sheet = within(screen.getByRole('dialog', { name: 'Claim sheet: repair order 7, job 1' }));
  const field = (label: string) => sheet.getByText(label, { selector: 'dt' }).nextElementSibling;
  // As it was when the story was written.
  expect(field('Operation')).toHaveTextContent(/^SUSP$/);
  expect(field('Causal part')).toHaveTextContent('sway bar link');
  expect(field('Mileage')).toHaveTextContent('41,250 mi');
  expect(field('Sold hours')).toHaveTextContent(/^1\.5 h$/);
  expect(field('Technicians and clocked hours')).toHaveTextContent(/^Jo Lee 1\.2 h$/);
  expect(sheet.queryByText('Bulletin')).not.toBeInTheDocument();
  expect(sheet.getByText(/Replaced the link\./)).toBeInTheDocument();
});

test('has the dates of the order and of its story, on the screen, on paper and in the copied text', async () => {
  vi.mocked(fetchVersions).mockResolvedValue([
    storyVersion(9, { current: true, at: '2026-03-04T22:05:00Z', claim: claim() }),
    storyVersion(3, { at: '2026-03-03T15:00:00Z' }),
  ]);
  const user = show({ createDateTime: '2026-03-02T03:30:00Z', closedDateTime: '2026-03-05T17:45:00Z' });
  await user.click(await button('Copy'));
  window.dispatchEvent(new Event('beforeprint'));
  const text = (vi.mocked(copyText).mock.calls[0]?.[0] ?? '').replaceAll('\u00a0', ' ').split('\n');
  const dates = [
    ['Opened', 'Mar 1, 2026, 9:30 PM'],
    ['Closed', 'Mar 5, 2026, 11:45 AM'],
    ['Story written', 'Mar 4, 2026, 4:05 PM, Joe Wilson'],
  ] as const;
  const places = [screen.getByRole('dialog'), document.querySelector<HTMLElement>('.claim-print')];
  for (const [label, date] of dates) {
    for (const place of places) {
      const name = within(place ?? document.body).getByText(label, { selector: 'dt' });
      expect(name.nextElementSibling?.textContent?.replaceAll('\u00a0', ' ')).toBe(date);
    }
    expect(text).toContain(`${label}: ${date}`);
  }
});

test('an order that is open, and a job without a story, have no date for it', async () => {
  vi.mocked(fetchVersions).mockResolvedValue([]);
  show();
  await button('Print');
  expect(screen.getByText('Opened', { selector: 'dt' })).toBeInTheDocument();
  expect(screen.queryByText('Closed', { selector: 'dt' })).toBeNull();
  expect(screen.queryByText('Story written', { selector: 'dt' })).toBeNull();
});

test('says in words what is not recorded, on the screen, on paper and in the copied text', async () => {
  vi.mocked(fetchTimeOnOrder).mockResolvedValue([]);
  const user = show();
  const missing = 'Not recorded: clocked time, part numbers, trouble codes, measurements, bulletin';
  expect(await screen.findByText(/^Not recorded: /)).toHaveTextContent(missing);
  window.dispatchEvent(new Event('beforeprint'));
  expect(document.querySelector('.claim-print')).toHaveTextContent(missing);
  await user.click(await button('Copy'));
  expect(vi.mocked(copyText).mock.calls[0]?.[0].split('\n')).toContain(missing);
});

test('a VIN and a number are read letter by letter, and never broken', async () => {
  show({ displayNumber: 'C-7' });
  await button('Print');
  for (const label of ['Repair order', 'VIN']) {
    const number = screen.getByText(label, { selector: 'dt' }).nextElementSibling;
    expect(number).toHaveClass('font-mono', 'whitespace-nowrap');
  }
});

test('the customer is written as on every screen, and in the file for a program as the dealer system has it', async () => {
  const user = show({ customer: 'LOVELACE,ADA' });
  await user.click(await button('JSON file'));
  expect(screen.getByText('Customer', { selector: 'dt' }).nextElementSibling).toHaveTextContent(
    'Lovelace, Ada',
  );
  const [[, json]] = vi.mocked(saveFile).mock.calls as [[string, Blob]];
  expect(JSON.parse(await textOf(json))).toMatchObject({ customer: 'LOVELACE,ADA' });
});

test('is copied as text, and saved as text and as JSON', async () => {
  const user = show();
  await user.click(await button('Copy'));
  const text = vi.mocked(copyText).mock.calls[0]?.[0] ?? '';
  expect(text).toContain('Causal part: sway bar link\n');
  expect(text.trimEnd().endsWith(STORY)).toBe(true);
  expect(await screen.findByText('Copied')).toBeInTheDocument();
  await user.click(await button('Text file'));
  await user.click(await button('JSON file'));
  const [[name, file], [jsonName, json]] = vi.mocked(saveFile).mock.calls as [[string, Blob], [string, Blob]];
  expect([name, jsonName]).toEqual(['claim-7-1.txt', 'claim-7-1.json']);
  expect(await textOf(file)).toBe(text);
  expect(JSON.parse(await textOf(json))).toMatchObject({
    job: 1,
    operations: [{ operationCode: 'SUSP', operationDescription: 'Suspension' }],
    soldHours: 1.5,
    claim: { causalPart: 'sway bar link', partNumbers: [] },
    technicians: [{ name: 'Jo Lee', clockedHours: 1.2 }],
    story: STORY,
  });
});

test('says what to do instead where the browser refuses to copy', async () => {
  vi.mocked(copyText).mockRejectedValue(new Error('refused'));
  const user = show();
  await user.click(await button('Copy'));
  expect(await screen.findByText('It could not be copied. Save it as a file instead.')).toBeInTheDocument();
});

test('says so where a story came without an interview', async () => {
  vi.mocked(fetchVersions).mockResolvedValue([storyVersion(9, { current: true })]);
  show();
  expect(
    await screen.findByText(/^Causal part, .* were not recorded: only an interview/),
  ).toBeInTheDocument();
  window.dispatchEvent(new Event('beforeprint'));
  expect(document.querySelector('.claim-print')).toHaveTextContent('were not recorded: only an interview');
  expect(screen.queryByText('Causal part')).not.toBeInTheDocument();
});

test('a story that names no operation has those of its job on the order', async () => {
  vi.mocked(fetchVersions).mockResolvedValue([storyVersion(9, { current: true })]);
  const user = show();
  await user.click(await button('Copy'));
  window.dispatchEvent(new Event('beforeprint'));
  for (const place of [screen.getByRole('dialog'), document.querySelector<HTMLElement>('.claim-print')]) {
    const name = within(place ?? document.body).getByText('Operation', { selector: 'dt' });
    expect(name.nextElementSibling).toHaveTextContent(/^SUSP Suspension$/);
  }
  expect(vi.mocked(copyText).mock.calls[0]?.[0].split('\n')).toContain('Operation: SUSP Suspension');
});

test('says that it could not be loaded, and can be loaded again', async () => {
  vi.mocked(fetchTimeOnOrder).mockRejectedValueOnce(new ApiError(0, 'network', 'Away.'));
  const user = show();
  expect(await screen.findByText(/The claim sheet could not be loaded/)).toBeInTheDocument();
  await user.click(await button('Try again'));
  expect(await button('Print')).toBeInTheDocument();
});

describe('what this device had saved', () => {
  const [older, newer] = [Date.parse('2026-03-01T18:00:00Z'), Date.parse('2026-03-02T18:00:00Z')];
  const saved: StorySource = {
    versions: async () => ({ value: [storyVersion(9, { current: true }), storyVersion(3)], savedAt: newer }),
    timeOnOrder: async () => ({ value: [time(1, 'Jo Lee', 1.2)], savedAt: older }),
  };
  const notKept = new ApiError(0, 'not-kept', 'Not kept.');
  const missing: StorySource = {
    versions: () => Promise.reject(notKept),
    timeOnOrder: () => Promise.reject(notKept),
  };

  function open(sheet: ReactElement, source: StorySource) {
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <StorySourceContext value={source}>{sheet}</StorySourceContext>
      </QueryClientProvider>,
    );
  }
  const { regularIdTechnician, regularTechFullName, ETLIdTechnician, ETLTechFullName, source, ...order } =
    row(7);
  const details = { ...order, closedDateTime: null, jobs: [job] };
  const claimSheet = <ClaimSheet details={details} job={job} close={vi.fn()} />;
  const versionsSheet = <VersionsSheet at={{ roNumber: 7, jobNumber: 1 }} version={2} close={vi.fn()} />;

  test('is a claim sheet as of the older of its parts', async () => {
    open(claimSheet, saved);
    expect(await screen.findByText(/^Last known, of Sun 1 Mar/)).toBeInTheDocument();
    expect(await button('Print')).toBeInTheDocument();
  });

  test('are versions that say of when they are', async () => {
    open(versionsSheet, saved);
    expect(await screen.findByText(/^Last known, of Mon 2 Mar/)).toBeInTheDocument();
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
  });

  test.each([
    ['claim sheet', claimSheet],
    ['versions', versionsSheet],
  ])('is missing: the %s needs the network, and says so', async (_, sheet) => {
    open(sheet, missing);
    expect(await screen.findByText(/it needs the network/)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Close' })).toBeInTheDocument();
  });
});
