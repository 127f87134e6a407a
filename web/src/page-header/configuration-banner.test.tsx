import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { type ConfigurationNotice, fetchMachineStatus } from '../api/machine-status.ts';
import { changeLanguage } from '../i18n/i18n.ts';
import { RUNNING_SERVER } from '../shop/running-server.fixture.ts';
import { ConfigurationBanner } from './configuration-banner.tsx';

vi.mock('../api/machine-status.ts', () => ({ fetchMachineStatus: vi.fn() }));
const session = vi.hoisted(() => ({ isOwner: true }));
vi.mock('../auth/use-session.ts', () => ({
  usePermission: (permission: string) => permission === 'manage-users' && session.isOwner,
}));

const proxy: ConfigurationNotice = {
  code: 'untrusted-proxy',
  address: '10.0.0.2',
  seenAt: '2026-03-02T14:00:00Z',
  advice: 'for programs',
};

const withNotices = (configuration: ConfigurationNotice[]) => ({
  server: RUNNING_SERVER,
  otherServers: [],
  disk: [],
  backups: null,
  configuration,
  intake: null,
  mailFolder: null,
});

function open() {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ConfigurationBanner />
    </QueryClientProvider>,
  );
}

beforeEach(async () => {
  session.isOwner = true;
  vi.mocked(fetchMachineStatus)
    .mockReset()
    .mockResolvedValue(withNotices([proxy]));
  await changeLanguage('en');
});

test('an owner is told of an untrusted proxy and of the option it needs', async () => {
  open();
  const band = await screen.findByRole('status');
  expect(band).toHaveTextContent('A proxy at 10.0.0.2 is not trusted');
  expect(band).toHaveTextContent('--trusted-proxy 10.0.0.2');
  await act(() => changeLanguage('es'));
  expect(band).toHaveTextContent('Un proxy en 10.0.0.2 no es de confianza');
});

test('a notice can be dismissed', async () => {
  vi.mocked(fetchMachineStatus).mockResolvedValue(
    withNotices([
      proxy,
      { code: 'https-without-public-url', address: null, seenAt: proxy.seenAt, advice: 'for programs' },
    ]),
  );
  open();
  expect(await screen.findAllByRole('status')).toHaveLength(2);
  const [first] = screen.getAllByRole('button', { name: 'Hide this notice' });
  await userEvent.click(first as HTMLElement);
  expect(screen.getByRole('status')).toHaveTextContent('--public-url');
});

test('where mailed links lead is on About alone', async () => {
  const address = 'http://shop-pc:8080';
  vi.mocked(fetchMachineStatus).mockResolvedValue(
    withNotices([proxy, { code: 'mails-without-public-url', address, seenAt: proxy.seenAt, advice: '' }]),
  );
  open();
  expect(await screen.findAllByRole('status')).toHaveLength(1);
});

test('nobody else sees or requests the notices', async () => {
  session.isOwner = false;
  open();
  await waitFor(() => expect(screen.queryByRole('status')).toBeNull());
  expect(fetchMachineStatus).not.toHaveBeenCalled();
});
