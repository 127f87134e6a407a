import { readFileSync } from 'node:fs';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { fetchAbout, fetchNotices } from '../api/about.ts';
import { ApiError } from '../api/http.ts';
import { AboutScreen } from './about-screen.tsx';
import { parseNotices } from './notices-text.ts';

vi.mock('../api/about.ts', async (original) => ({
  ...(await original<typeof import('../api/about.ts')>()),
  fetchAbout: vi.fn(),
  fetchNotices: vi.fn(),
}));

const RULE = '='.repeat(80);
const part = (title: string, body: string) => `${RULE}\n${title}\n${RULE}\n\n${body}\n\n`;
const FILE = [
  'Third-party notices\n\nDispatch is made of these.\n\n',
  part('Crates of the server', 'actix 0.13.5    MIT OR Apache-2.0\nring 0.17.14    Apache-2.0 AND ISC'),
  part('Fonts', '@fontsource/ibm-plex-mono 5.3.0  OFL-1.1'),
  part('MIT', 'actix 0.13.5\n    Copyright (c) The Actix Team\n\nPermission is hereby granted.\n\nAS IS.'),
].join('');
const noAnswer = new ApiError(0, 'network', 'The server could not be reached.');
const user = userEvent.setup();

beforeEach(() => {
  vi.mocked(fetchAbout).mockReset().mockResolvedValue({
    version: '0.1.0',
    commit: 'e11150cd4a5b',
    license: 'MIT OR Apache-2.0',
  });
  vi.mocked(fetchNotices).mockReset().mockResolvedValue(FILE);
});

function open() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={queries}>
      <AboutScreen />
    </QueryClientProvider>,
  );
}

const factOf = async (term: string) => (await screen.findByText(term, { selector: 'dt' })).nextElementSibling;

test('the screen says the version, the commit and the license of the server', async () => {
  open();
  expect(await factOf('Version')).toHaveTextContent('0.1.0');
  expect(await factOf('Built from commit')).toHaveTextContent('e11150cd4a5b');
  expect(await factOf('License')).toHaveTextContent('MIT OR Apache-2.0');
  expect(screen.getByRole('heading', { level: 1, name: 'About Dispatch' })).toBeInTheDocument();
});

test('a build that does not know its commit names none', async () => {
  vi.mocked(fetchAbout).mockResolvedValue({ version: '0.1.0', commit: null, license: 'MIT' });
  open();
  expect(await factOf('Version')).toHaveTextContent('0.1.0');
  expect(screen.queryByText('Built from commit')).not.toBeInTheDocument();
});

test('the notices are lists of components, and each license’s text with whose parts come under it', async () => {
  open();
  const crates = await screen.findByRole('table', { name: 'Crates of the server' });
  expect(within(crates).getByRole('row', { name: 'ring 0.17.14 Apache-2.0 AND ISC' })).toBeInTheDocument();
  expect(within(crates).getAllByRole('row')).toHaveLength(3);
  expect(screen.getByRole('table', { name: 'Fonts' })).toBeInTheDocument();
  const text = screen.getByRole('article');
  expect(within(text).getByRole('heading', { name: 'MIT' })).toBeInTheDocument();
  expect(text).toHaveTextContent('actix 0.13.5 Copyright (c) The Actix Team');
  expect(text).toHaveTextContent('Permission is hereby granted. AS IS.');
  expect(screen.getByRole('link', { name: 'As a text file' })).toHaveAttribute(
    'href',
    '/third-party-notices.txt',
  );
});

test('notices that could not be loaded say so, and are loaded again', async () => {
  vi.mocked(fetchNotices).mockRejectedValueOnce(noAnswer);
  open();
  expect(await screen.findByRole('alert')).toHaveTextContent('The notices could not be loaded');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('table', { name: 'Fonts' })).toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test('every part of the file that make notices writes is read', () => {
  const file = readFileSync('public/third-party-notices.txt', 'utf8');
  const { parts, texts } = parseNotices(file);
  expect(parts.map(({ name }) => name)).toEqual(['crates', 'packages', 'fonts', 'others']);
  for (const { components } of parts) expect(components.length).toBeGreaterThan(0);
  const named = parts.flatMap(({ components }) =>
    components.map(({ name, version }) => `${name} ${version}`),
  );
  const explained = texts.map(({ components }) => components).join('\n');
  expect(named.filter((one) => !explained.includes(one))).toEqual([]);
});
