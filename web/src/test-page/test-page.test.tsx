import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import { fetchTestDocuments, putTestDocument, type StaffMember, type TestDocuments } from '../api/users.ts';
import { TestPage } from './test-page.tsx';

vi.mock('../api/users.ts', () => ({ fetchTestDocuments: vi.fn(), putTestDocument: vi.fn() }));
vi.mock('../auth/use-session.ts', () => ({ useUser: () => ({ uid: 'u1', email: 'ana@example.com' }) }));

const document = (id: string, role: string | null = null): StaffMember => ({
  id,
  email: `${id}@example.com`,
  name: id,
  roles: [],
  skill: null,
  technicianId: null,
  invited: false,
  invitedAt: null,
  invitationMail: null,
  role,
  createdAt: null,
});
let stored: TestDocuments;

beforeEach(() => {
  stored = { uid: 'u1', email: 'ana@example.com', own: null, documents: [] };
  vi.mocked(fetchTestDocuments)
    .mockReset()
    .mockImplementation(async () => stored);
  vi.mocked(putTestDocument).mockReset().mockResolvedValue();
});

function open() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <TestPage />
    </QueryClientProvider>,
  );
}
const section = (name: string) => within(screen.getByRole('region', { name }));
/** The documents that are shown there. */
const shown = async (name: string): Promise<unknown> => {
  await screen.findByRole('region', { name });
  const text = screen.getByRole('region', { name }).querySelector('pre')?.textContent;
  return text == null ? null : JSON.parse(text);
};

test('shows the user, and explains that the written role grants nothing', async () => {
  open();
  expect(screen.getByText('u1')).toBeInTheDocument();
  expect(screen.getByText('ana@example.com')).toBeInTheDocument();
  expect(screen.getByText(/“owner” that is written here grants nothing/)).toBeInTheDocument();
  expect(await shown('My document')).toBeNull();
  expect(section('My document').getByText('There is none yet.')).toBeInTheDocument();
});

test('shows the user’s own document and everybody’s', async () => {
  stored = { ...stored, own: document('u1', 'owner'), documents: [document('u1', 'owner'), document('bo')] };
  open();
  expect(await shown('My document')).toEqual(stored.own);
  expect(await shown('All user documents')).toEqual(stored.documents);
});

test('tells a user who is not an owner that other documents are hidden', async () => {
  stored = { ...stored, documents: null };
  open();
  expect(await shown('All user documents')).toBeNull();
  expect(section('All user documents').getByText('Only an Owner sees them.')).toBeInTheDocument();
});

test('writes the user’s own document, and shows it', async () => {
  open();
  await screen.findByText('There is none yet.');
  vi.mocked(putTestDocument).mockImplementation(async () => {
    stored = { ...stored, own: document('u1', 'owner') };
  });
  await userEvent.click(screen.getByRole('button', { name: 'Create or update my document' }));
  expect(await screen.findByText('Document written')).toBeInTheDocument();
  expect(await shown('My document')).toMatchObject({ role: 'owner' });
});

test('shows what failed, and retries', async () => {
  const refused = new ApiError(409, 'refused', 'Not today.');
  vi.mocked(fetchTestDocuments).mockRejectedValueOnce(refused);
  vi.mocked(putTestDocument).mockRejectedValueOnce(refused);
  open();
  expect(await screen.findByText('Documents could not be loaded. Not today.')).toHaveRole('alert');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('There is none yet.')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Create or update my document' }));
  expect(await screen.findByText('The document could not be written: Not today.')).toHaveRole('alert');
});
