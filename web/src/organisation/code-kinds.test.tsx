import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { fetchWorkKinds, putWorkKind } from '../api/technicians.ts';
import { changeLanguage, loadTexts } from '../i18n/i18n.ts';
import { screenTexts } from '../i18n/screens.ts';
import { WorkKinds } from './code-kinds.tsx';

vi.mock('../api/technicians.ts', async (original) => ({
  ...(await original<typeof import('../api/technicians.ts')>()),
  fetchWorkKinds: vi.fn(),
  putWorkKind: vi.fn(),
}));

beforeEach(async () => {
  vi.mocked(fetchWorkKinds)
    .mockReset()
    .mockResolvedValue([{ pattern: 'DIAG*', kind: 'diagnosis' }]);
  vi.mocked(putWorkKind).mockReset().mockResolvedValue(undefined);
  await changeLanguage('en');
  await loadTexts(screenTexts);
});

async function openKinds(mayManage: boolean) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <WorkKinds mayManage={mayManage} />
    </QueryClientProvider>,
  );
  await screen.findByText(/DIAG\*|could not be loaded/);
  return within(screen.getByRole('region', { name: 'Kinds of work' }));
}

test('an owner says by keys which kind of work an opcode is, and takes it back', async () => {
  const user = userEvent.setup();
  const kinds = await openKinds(true);
  expect(kinds.getByRole('listitem')).toHaveTextContent('DIAG*Diagnosis');
  await user.type(kinds.getByRole('textbox', { name: 'For opcode' }), ' lof ');
  await user.selectOptions(kinds.getByRole('combobox', { name: 'Kind of work' }), 'Menu work');
  await user.click(kinds.getByRole('button', { name: 'Add entry' }));
  expect(putWorkKind).toHaveBeenCalledExactlyOnceWith('LOF', 'menu');
  await user.click(kinds.getByRole('button', { name: 'Delete the entry for DIAG*' }));
  expect(putWorkKind).toHaveBeenLastCalledWith('DIAG*', null);
});

test('who may not write them reads them', async () => {
  const kinds = await openKinds(false);
  expect(kinds.getByRole('listitem')).toHaveTextContent('DIAG*Diagnosis');
  expect(kinds.queryByRole('button')).not.toBeInTheDocument();
});

test('kinds that could not be loaded are asked for again', async () => {
  vi.mocked(fetchWorkKinds).mockRejectedValueOnce(new Error('away'));
  const kinds = await openKinds(true);
  await userEvent.click(kinds.getByRole('button', { name: /again/i }));
  expect(await kinds.findByText('DIAG*')).toBeInTheDocument();
});
