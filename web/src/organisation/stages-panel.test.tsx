import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  addStage,
  changeStage,
  configureStages,
  deleteStage,
  fetchStages,
  type ShopStages,
} from '../api/stages.ts';
import { changeLanguage, loadTexts } from '../i18n/i18n.ts';
import { stageTexts } from '../i18n/stages.ts';
import { someStages } from '../repair-order/stages.fixture.ts';
import { shopStages } from '../repair-order/stages.ts';
import { typeUnreadable } from '../ui/number-field.fixture.ts';
import { readStage } from './stage-form.tsx';
import { StagesPanel } from './stages-panel.tsx';

vi.mock('../api/stages.ts', () => ({
  fetchStages: vi.fn(),
  configureStages: vi.fn(),
  addStage: vi.fn(),
  changeStage: vi.fn(),
  deleteStage: vi.fn(),
}));
const session = vi.hoisted(() => ({ mayManage: true }));
vi.mock('../auth/use-session.ts', () => ({ usePermission: () => session.mayManage }));

/** What the server has. */
let stages: ShopStages;
let client: QueryClient;
let user: ReturnType<typeof userEvent.setup>;

beforeEach(async () => {
  vi.clearAllMocks();
  session.mayManage = true;
  stages = { ...someStages, enabled: false };
  vi.mocked(fetchStages).mockImplementation(async () => stages);
  user = userEvent.setup();
  await loadTexts(stageTexts);
});

afterEach(() => changeLanguage('en'));

async function openPanel(list = 'Stages in their order'): Promise<void> {
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <StagesPanel close={() => undefined} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await screen.findByRole('list', { name: list });
}

const names = () =>
  within(screen.getByRole('list', { name: 'Stages in their order' }))
    .getAllByRole('listitem')
    .map((line) => line.querySelector('p')?.textContent);

const button = (name: string) => screen.getByRole('button', { name });

test('an owner turns stages on and reads what that does', async () => {
  vi.mocked(configureStages).mockImplementation(async () => {
    stages = { ...stages, enabled: true };
    return stages;
  });
  await openPanel();
  expect(screen.getByText(/^The shop does not use stages/)).toBeVisible();
  await user.click(screen.getByRole('switch', { name: /Use stages/ }));
  expect(await screen.findByText(/^The shop uses stages/)).toBeVisible();
  expect(configureStages).toHaveBeenCalledWith({ enabled: true });
});

test.each([
  ['en', 'Stages in their order', 'The dealer’s file owns the stage', /left out/],
  ['de', 'Arbeitsschritte in ihrer Reihenfolge', 'Händlerdatei bestimmt den Schritt', /unbeachtet/],
  ['es', 'Etapas en su orden', 'El archivo decide la etapa', /se ignoran/],
] as const)('an owner lets files say where cars stand (%s)', async (language, list, label, leftOut) => {
  await changeLanguage(language);
  stages = { ...stages, enabled: true };
  vi.mocked(configureStages).mockImplementation(async () => {
    stages = { ...stages, fileOwnsStage: true };
    return stages;
  });
  await openPanel(list);
  const files = screen.getByRole('switch', { name: new RegExp(label) });
  expect(files).toHaveAttribute('aria-checked', 'false');
  expect(screen.getByText(leftOut)).toBeVisible();
  await user.click(files);
  await waitFor(() => expect(files).toHaveAttribute('aria-checked', 'true'));
  expect(configureStages).toHaveBeenCalledWith({ fileOwnsStage: true });
  expect(screen.queryByText(leftOut)).toBeNull();
});

test('a shop without stages is not asked about files', async () => {
  await openPanel();
  expect(screen.queryByRole('switch', { name: /file owns the stage/ })).toBeNull();
});

test('a stage goes one place down and its button keeps the focus', async () => {
  vi.mocked(configureStages).mockImplementation(async ({ order = [] }) => {
    const place = ({ id }: { id: string }) => (order.includes(id) ? order.indexOf(id) : order.length);
    stages = { ...stages, stages: stages.stages.toSorted((a, b) => place(a) - place(b)) };
    return stages;
  });
  await openPanel();
  expect(button('Move To be dispatched up')).toBeDisabled();
  await user.click(button('Move To be dispatched down'));
  await waitFor(() => expect(names().slice(0, 2)).toEqual(['In diagnosis', 'To be dispatched']));
  expect(configureStages).toHaveBeenCalledWith({
    order: ['in-diagnosis', 'to-be-dispatched', 'waiting-for-parts', 'in-work', 'ready'],
  });
  await waitFor(() => expect(button('Move To be dispatched down')).toHaveFocus());
});

test('a new stage has the name of the page in every language where none is typed', async () => {
  vi.mocked(addStage).mockResolvedValue(someStages.stages[0] as (typeof someStages.stages)[0]);
  await openPanel();
  await user.click(button('Add stage'));
  const form = screen.getByRole('form', { name: 'New stage' });
  await user.type(within(form).getByLabelText('Name in English'), ' Detailing ');
  await user.type(within(form).getByLabelText('Name in German'), 'Aufbereitung');
  await user.selectOptions(within(form).getByLabelText('Kind'), 'Queue');
  await user.click(within(form).getByLabelText('Violet'));
  await user.type(within(form).getByLabelText('Too long after (minutes)'), '90');
  await user.type(within(form).getByLabelText('Cars at most'), '6');
  await user.click(within(form).getByRole('button', { name: 'Add stage' }));
  expect(addStage).toHaveBeenCalledWith({
    name: { en: 'Detailing', de: 'Aufbereitung', es: 'Detailing' },
    kind: 'queue',
    colour: 'violet',
    tooLongMinutes: 90,
    limit: 6,
  });
});

test('a stage is edited where it stands', async () => {
  vi.mocked(changeStage).mockResolvedValue(someStages.stages[0] as (typeof someStages.stages)[0]);
  await openPanel();
  expect(screen.getByText('Queue · Too long after 1 h')).toBeVisible();
  await user.click(button('Edit To be dispatched'));
  const form = screen.getByRole('form', { name: 'Edit To be dispatched' });
  await user.clear(within(form).getByLabelText('Too long after (minutes)'));
  await user.click(within(form).getByRole('button', { name: 'Save' }));
  expect(changeStage).toHaveBeenCalledExactlyOnceWith('to-be-dispatched', { tooLongMinutes: null });
});

test('what somebody else changes while a stage is edited is not changed back', async () => {
  await openPanel();
  await user.click(button('Edit To be dispatched'));
  const form = within(screen.getByRole('form', { name: 'Edit To be dispatched' }));
  const changed = stages.stages.map((one) =>
    one.id === 'to-be-dispatched' ? { ...one, colour: 'violet' as const, limit: 4 } : one,
  );
  stages = { ...stages, stages: changed };
  await act(() => client.invalidateQueries({ queryKey: shopStages.queryKey }));
  await user.type(form.getByLabelText('Name in English'), ' soon');
  await user.click(form.getByRole('button', { name: 'Save' }));
  expect(changeStage).toHaveBeenCalledExactlyOnceWith('to-be-dispatched', {
    name: { en: 'To be dispatched soon', de: 'To be dispatched (de)', es: 'To be dispatched (es)' },
  });
});

test('saving a stage in which nothing was changed sends nothing', async () => {
  await openPanel();
  await user.click(button('Edit To be dispatched'));
  const form = screen.getByRole('form', { name: 'Edit To be dispatched' });
  await user.click(within(form).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(form).not.toBeInTheDocument());
  expect(changeStage).not.toHaveBeenCalled();
});

test.each(['Too long after (minutes)', 'Cars at most'])(
  'a text that is no number is not the absence of one: %s',
  async (label) => {
    await openPanel();
    await user.click(button('Edit To be dispatched'));
    const form = within(screen.getByRole('form', { name: 'Edit To be dispatched' }));
    expect(form.getByRole('button', { name: 'Save' })).toBeEnabled();
    typeUnreadable(form.getByLabelText(label));
    expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
  },
);

test('deleting asks first, and a deleted stage can be brought back', async () => {
  await openPanel();
  await user.click(button('Delete Ready'));
  expect(deleteStage).not.toHaveBeenCalled();
  await user.click(
    within(screen.getByRole('alertdialog', { name: 'Delete the stage Ready?' })).getByRole('button', {
      name: 'Delete',
    }),
  );
  expect(deleteStage).toHaveBeenCalledWith('ready');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await user.click(button('Bring Polish back'));
  expect(changeStage).toHaveBeenCalledWith('polish', { deleted: false });
});

test('who is no owner reads the list only', async () => {
  session.mayManage = false;
  await openPanel();
  expect(screen.getByRole('switch', { name: /Use stages/ })).toBeDisabled();
  expect(screen.queryByRole('button', { name: /^Move|^Edit|^Delete|^Add/ })).toBeNull();
  expect(screen.getByText('Only owners change stages.')).toBeVisible();
});

test.each(['0', '1.5', '525601'])('%s minutes are none', (minutes) => {
  const name = { en: 'Wash', de: '', es: '' };
  const draft = { name, kind: 'active', colour: 'blue', minutes, limit: '' } as const;
  expect(readStage(draft, 'en')).toBeNull();
  expect(readStage({ ...draft, minutes: '' }, 'en')?.tooLongMinutes).toBeNull();
});

test.each(['0', '2.5', '1000'])('a stage cannot have %s cars at most', (limit) => {
  const name = { en: 'Wash', de: '', es: '' };
  const draft = { name, kind: 'active', colour: 'blue', minutes: '', limit } as const;
  expect(readStage(draft, 'en')).toBeNull();
  expect(readStage({ ...draft, limit: '12' }, 'en')?.limit).toBe(12);
});
