import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ErrorCode } from '../api/error-code.ts';
import { ApiError } from '../api/http.ts';
import { onSocketMessage } from '../api/socket.ts';
import { fetchStoryKinds, putStoryKind } from '../api/tech-stories.ts';
import {
  addLevel,
  addRule,
  addSkill,
  addTechnician,
  changeLevel,
  changeRule,
  changeSkill,
  changeTechnician,
  deleteLevel,
  deleteRule,
  deleteSkill,
  deleteTechnician,
  fetchOrganisation,
  fetchRules,
  type Organisation,
  removeTechnicianSkill,
  setTechnicianSkill,
} from '../api/technicians.ts';
import { fetchSkills, type Skill } from '../api/users.ts';
import { changeLanguage } from '../i18n/i18n.ts';
import { typeUnreadable } from '../ui/number-field.fixture.ts';
import { Toasts } from '../ui/toasts.tsx';
import { ana, shop } from './organisation.fixture.ts';
import { applyMove } from './organisation.ts';
import { OrganisationScreen } from './organisation-screen.tsx';

vi.mock('../api/socket.ts', () => ({
  onSocketMessage: vi.fn(),
  onStaffChange: vi.fn(),
  openSocket: vi.fn(),
}));
vi.mock('../api/technicians.ts', async (original) => {
  const { hasErrorCode } = await original<typeof import('../api/technicians.ts')>();
  const calls = [
    'addLevel addRule addSkill addTechnician changeLevel changeRule changeSkill changeTechnician deleteLevel',
    'deleteRule deleteSkill deleteTechnician fetchOrganisation fetchRules removeTechnicianSkill setTechnicianSkill',
  ].flatMap((line) => line.split(' '));
  return { hasErrorCode, ...Object.fromEntries(calls.map((name) => [name, vi.fn()])) };
});
vi.mock('../api/tech-stories.ts', () => ({
  fetchStoryKinds: vi.fn(),
  putStoryKind: vi.fn(),
}));
vi.mock('../api/users.ts', async (original) => ({
  ...(await original<typeof import('../api/users.ts')>()),
  fetchSkills: vi.fn(),
}));
const session = vi.hoisted(() => ({ permissions: [] as string[] }));
vi.mock('../auth/use-session.ts', () => ({
  usePermission: (permission: string) => session.permissions.includes(permission),
  useUser: () => ({ uid: 'u1', roles: ['Owner'], technicianId: null }),
}));
const OWNER = ['see-all-technicians', 'manage-technicians', 'manage-skills', 'manage-opcode-rules'];

/** What the server has. */
let organisation: Organisation;
let skills: Skill[];
let changed: () => void;
let user: ReturnType<typeof userEvent.setup>;

const calls = [
  addLevel,
  addRule,
  addSkill,
  addTechnician,
  changeLevel,
  changeRule,
  changeSkill,
  deleteLevel,
  deleteRule,
  deleteSkill,
  deleteTechnician,
  removeTechnicianSkill,
  setTechnicianSkill,
];

beforeEach(async () => {
  user = userEvent.setup();
  session.permissions = OWNER;
  organisation = shop;
  skills = [
    { idSkill: 11, skillName: 'Engine repair', skillLevel: 70, usedBy: { technicians: 1, rules: 2 } },
    { idSkill: 12, skillName: 'Brakes', skillLevel: 40, usedBy: { technicians: 0, rules: 0 } },
  ];
  for (const call of calls) vi.mocked(call).mockReset().mockResolvedValue(undefined);
  vi.mocked(fetchOrganisation)
    .mockReset()
    .mockImplementation(async () => organisation);
  vi.mocked(fetchSkills)
    .mockReset()
    .mockImplementation(async () => skills);
  vi.mocked(fetchRules)
    .mockReset()
    .mockResolvedValue([{ idRule: 5, pattern: 'ENG*', idSkill: 11, skillName: 'Engine repair', level: 50 }]);
  vi.mocked(putStoryKind).mockReset().mockResolvedValue(undefined);
  vi.mocked(fetchStoryKinds)
    .mockReset()
    .mockResolvedValue({ kinds: ['leak', 'noise', 'new-one'], codes: [{ pattern: 'LEAK*', kind: 'leak' }] });
  vi.mocked(changeTechnician)
    .mockReset()
    .mockImplementation(async (technician, { idLevel }) => {
      if (idLevel !== undefined) organisation = applyMove(organisation, { technician, level: idLevel });
    });
  vi.mocked(onSocketMessage).mockImplementation((name, listener) => {
    if (name === 'TECHNICIANS_CHANGED') changed = () => listener(null);
    return () => undefined;
  });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await changeLanguage('en');
});

function open(at = '/technician-management') {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter initialEntries={[at]}>
        <OrganisationScreen />
      </MemoryRouter>
      <Toasts region="Notifications" one="Notification" closeLabel="Dismiss" />
    </QueryClientProvider>,
  );
}
async function openTree() {
  open();
  await screen.findByRole('heading', { name: /^Foreman/ });
}
const refused = (code: ErrorCode, sentence = 'No.') => new ApiError(409, code, sentence);
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const levelList = (name: string) => screen.queryByRole('list', { name: `Technicians in ${name}` });
const expectInLevel = (name: string, level: string) =>
  waitFor(() => expect(within(levelList(level) ?? document.body).getByText(name)).toBeInTheDocument());
const toast = async (text: string) => expect(await screen.findByText(text)).toBeInTheDocument();
const panel = (name: string) => screen.findByRole('dialog', { name });

describe('the tree', () => {
  test('shows the levels from the top, and last the technicians without a level', async () => {
    await openTree();
    expect(document.title).toBe('Technician Management');
    const headings = screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent);
    expect(headings).toEqual([
      'Foreman1 technician',
      'Master1 technician',
      'Lube-tech',
      'Not placed1 technician',
    ]);
    expect(within(levelList('Foreman') ?? document.body).getByText('Engine repair')).toBeInTheDocument();
  });

  test('collapses and expands a level', async () => {
    await openTree();
    await user.click(button(/^Foreman/));
    expect(button(/^Foreman/)).toHaveAttribute('aria-expanded', 'false');
    expect(levelList('Foreman')).not.toBeInTheDocument();
    await user.click(button(/^Foreman/));
    expect(levelList('Foreman')).toBeInTheDocument();
  });

  test('is searched by name, specialty and skill', async () => {
    await openTree();
    await user.type(screen.getByRole('textbox', { name: 'Find a technician or skill' }), 'repair');
    expect(screen.getByText('Ana Ruiz')).toBeInTheDocument();
    expect(screen.queryByText('Bo Li')).not.toBeInTheDocument();
    expect(screen.getAllByText('Nobody here matches the search.')).toHaveLength(2);
  });

  test('shows changes by others', async () => {
    await openTree();
    organisation = applyMove(shop, { technician: 3, level: 3 });
    act(() => changed());
    await expectInLevel('Cal Reyes', 'Lube-tech');
  });

  test('shows a message when it could not be loaded, and retries', async () => {
    vi.mocked(fetchOrganisation).mockRejectedValueOnce(new Error('The server is away.'));
    open();
    expect(await screen.findByRole('alert')).toHaveTextContent('The server is away.');
    await user.click(button('Try again'));
    await screen.findByRole('heading', { name: /^Foreman/ });
  });

  test('tells a user without permission', async () => {
    vi.mocked(fetchOrganisation).mockRejectedValue(new ApiError(403, 'forbidden', 'No.'));
    open();
    expect(await screen.findByText('You do not see the organisation')).toBeInTheDocument();
  });
});

describe('moving', () => {
  const moveBo = async (to: string) => {
    await user.click(button('Move Bo Li to...'));
    await user.click(await screen.findByRole('menuitemradio', { name: to }));
  };

  test('by the menu shows at once and is saved', async () => {
    let save = () => undefined as undefined;
    vi.mocked(changeTechnician).mockImplementationOnce(
      () =>
        new Promise((done) => {
          save = () => void done();
        }),
    );
    await openTree();
    await moveBo('Foreman');
    await expectInLevel('Bo Li', 'Foreman');
    expect(changeTechnician).toHaveBeenCalledExactlyOnceWith(2, { idLevel: 1 });
    organisation = applyMove(shop, { technician: 2, level: 1 });
    act(() => void save());
    await toast('Bo Li moved to Foreman');
    await expectInLevel('Bo Li', 'Foreman');
  });

  test('is reverted by Undo', async () => {
    await openTree();
    await moveBo('Not placed');
    expect(changeTechnician).toHaveBeenLastCalledWith(2, { idLevel: null });
    await toast('Bo Li moved to Not placed');
    await user.click(button('Undo'));
    await waitFor(() => expect(changeTechnician).toHaveBeenLastCalledWith(2, { idLevel: 2 }));
    await expectInLevel('Bo Li', 'Master');
  });

  test('made while the one before it is pending is reverted to the level that that one gave', async () => {
    let save: () => void = () => undefined;
    vi.mocked(changeTechnician).mockImplementationOnce(
      () =>
        new Promise((done) => {
          save = () => {
            organisation = applyMove(organisation, { technician: 2, level: 1 });
            done();
          };
        }),
    );
    await openTree();
    await moveBo('Foreman');
    await expectInLevel('Bo Li', 'Foreman');
    await moveBo('Lube-tech');
    await expectInLevel('Bo Li', 'Lube-tech');
    expect(changeTechnician).toHaveBeenCalledExactlyOnceWith(2, { idLevel: 1 });
    await act(async () => save());
    await toast('Bo Li moved to Lube-tech');
    await user.click(button('Undo'));
    await waitFor(() => expect(changeTechnician).toHaveBeenLastCalledWith(2, { idLevel: 1 }));
    expect(changeTechnician).toHaveBeenCalledTimes(3);
    await expectInLevel('Bo Li', 'Foreman');
  });

  test('is reverted with a message when it is refused', async () => {
    vi.mocked(changeTechnician).mockRejectedValue(new Error('The database is away.'));
    await openTree();
    await moveBo('Lube-tech');
    await toast('Bo Li could not be moved');
    expect(screen.getByText('The database is away.')).toBeInTheDocument();
    await expectInLevel('Bo Li', 'Master');
  });

  test('changes by others do not revert a move that is not saved yet', async () => {
    vi.mocked(changeTechnician).mockReturnValue(new Promise(() => undefined));
    await openTree();
    await moveBo('Foreman');
    organisation = applyMove(shop, { technician: 3, level: 2 });
    act(() => changed());
    await expectInLevel('Cal Reyes', 'Master');
    await expectInLevel('Bo Li', 'Foreman');
  });

  test('to the technician’s own level sends nothing', async () => {
    await openTree();
    await moveBo('Master');
    expect(changeTechnician).not.toHaveBeenCalled();
  });

  test('by keyboard goes from level to level, announces it, and keeps the focus on the technician', async () => {
    lieBelowOneAnother();
    await openTree();
    const grip = button('Drag Bo Li');
    grip.focus();
    expect(grip).toHaveAccessibleDescription(/Press space to pick the technician up/);
    const press = async (code: string) => {
      fireEvent.keyDown(document.activeElement ?? document.body, { code });
      await act(() => new Promise((done) => setTimeout(done, 50)));
    };
    const announced = (text: string) => waitFor(() => expect(screen.getByText(text)).toBeInTheDocument());
    await press('Space');
    await announced('Bo Li is picked up, in Master.');
    await press('ArrowDown');
    await announced('Bo Li is over Lube-tech.');
    await press('ArrowDown');
    await announced('Bo Li is over Not placed.');
    await press('ArrowUp');
    await press('ArrowUp');
    await press('ArrowUp');
    await announced('Bo Li is over Foreman.');
    await press('Space');
    await announced('Bo Li was dropped in Foreman.');
    await expectInLevel('Bo Li', 'Foreman');
    expect(changeTechnician).toHaveBeenCalledExactlyOnceWith(2, { idLevel: 1 });
    await waitFor(() => expect(button('Drag Bo Li')).toHaveFocus());
  });

  test('by keyboard is cancelled with Escape', async () => {
    lieBelowOneAnother();
    await openTree();
    button('Drag Bo Li').focus();
    for (const code of ['Space', 'ArrowDown', 'Escape']) {
      fireEvent.keyDown(document.activeElement ?? document.body, { code });
      await act(() => new Promise((done) => setTimeout(done, 50)));
    }
    await waitFor(() => expect(screen.getByText('Bo Li stays where they were.')).toBeInTheDocument());
    expect(changeTechnician).not.toHaveBeenCalled();
  });
});

/**
 * There is no layout here: each level is 100 px high, below the one before it, and a technician is in theirs. What is
 * dragged is where its style says.
 */
function lieBelowOneAnother() {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const dragged = this.closest<HTMLElement>('[style*="position: fixed"]');
    if (dragged !== null && dragged.style.top !== '') {
      const [, down = 0] = /translate3d\([^,]*, (-?[\d.]+)px/.exec(dragged.style.transform) ?? [];
      return new DOMRect(20, Number.parseFloat(dragged.style.top) + Number(down), 200, 50);
    }
    const levels = [...document.querySelectorAll('[data-level]')];
    const at = levels.findIndex((level) => level.contains(this));
    const isLevel = this.matches('[data-level]');
    return new DOMRect(isLevel ? 0 : 20, Math.max(at, 0) * 110 + (isLevel ? 0 : 40), 200, isLevel ? 100 : 50);
  });
}

describe('Assign Technician', () => {
  test('assigns the chosen technician to the chosen level', async () => {
    await openTree();
    await user.click(button('Assign Technician'));
    const dialog = within(await panel('Assign Technician'));
    const technician = dialog.getByRole('combobox', { name: 'Technician' });
    expect(technician).toHaveDisplayValue('Select a technician');
    expect(dialog.getByRole('button', { name: 'Assign' })).toBeDisabled();
    await user.selectOptions(technician, 'Cal Reyes · Brakes');
    expect(dialog.getByText('Now in: Not placed')).toBeInTheDocument();
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Level' }), 'Lube-tech');
    await user.click(dialog.getByRole('button', { name: 'Assign' }));
    expect(changeTechnician).toHaveBeenCalledExactlyOnceWith(3, { idLevel: 3 });
    await expectInLevel('Cal Reyes', 'Lube-tech');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  test('is closed by Cancel', async () => {
    await openTree();
    await user.click(button('Assign Technician'));
    await user.click(within(await panel('Assign Technician')).getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(button('Assign Technician')).toHaveFocus();
  });
});

describe('a level', () => {
  const menu = async (name: string, item: string) => {
    await user.click(button(`Level ${name}: more`));
    await user.click(await screen.findByRole('menuitem', { name: item }));
  };

  test('is added', async () => {
    await openTree();
    await user.click(button('Add level'));
    const dialog = within(await panel('Add level'));
    await user.type(dialog.getByRole('textbox', { name: 'Level name' }), ' Apprentice {Enter}');
    expect(addLevel).toHaveBeenCalledExactlyOnceWith('Apprentice');
    await toast('Level Apprentice added');
  });

  test('is not added twice, and the typed name stays', async () => {
    vi.mocked(addLevel).mockRejectedValue(refused('level-exists'));
    await openTree();
    await user.click(button('Add level'));
    const field = within(await panel('Add level')).getByRole('textbox', { name: 'Level name' });
    await user.type(field, 'Master{Enter}');
    await toast('There is already a level of that name');
    expect(field).toHaveValue('Master');
  });

  test('is renamed', async () => {
    await openTree();
    await menu('Master', 'Rename');
    const field = within(await panel('Rename Master')).getByRole('textbox', { name: 'Level name' });
    await user.clear(field);
    await user.type(field, 'Meister{Enter}');
    expect(changeLevel).toHaveBeenCalledExactlyOnceWith(2, { name: 'Meister' });
  });

  test('moves up and down, but not beyond the ends', async () => {
    await openTree();
    await menu('Master', 'Move up');
    expect(changeLevel).toHaveBeenLastCalledWith(2, { position: 1 });
    await user.click(button('Level Lube-tech: more'));
    expect(await screen.findByRole('menuitem', { name: 'Move down' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
  });

  test('is deleted when it has no technicians', async () => {
    await openTree();
    await menu('Lube-tech', 'Delete');
    expect(deleteLevel).toHaveBeenCalledExactlyOnceWith(3);
    await toast('Level Lube-tech deleted');
  });

  test('with technicians in it is not deleted, with a friendly explanation', async () => {
    vi.mocked(deleteLevel).mockRejectedValue(refused('level-in-use'));
    await openTree();
    await menu('Foreman', 'Delete');
    await toast('Level Foreman could not be deleted');
    await toast('Technicians still sit in Foreman. Move them to another level first.');
  });
});

describe('Manage Skills', () => {
  const openSkills = async () => {
    await openTree();
    await user.click(button('Manage Skills'));
    const dialog = within(await panel('Manage Skills'));
    await dialog.findByText('Engine repair');
    return dialog;
  };
  const line = (name: string) => {
    const found = within(screen.getByRole('dialog')).getByText(name).closest('li');
    if (found === null) throw new Error(`there is no skill ${name}`);
    return within(found);
  };

  test('is a panel of 96 units with the form and the list', async () => {
    const dialog = await openSkills();
    expect(screen.getByRole('dialog')).toHaveClass('w-96', 'right-0');
    expect(dialog.getByRole('heading', { name: 'Add New Skill' })).toBeInTheDocument();
    expect(dialog.getByRole('heading', { name: 'Existing Skills' })).toBeInTheDocument();
    expect(dialog.getByRole('textbox', { name: 'Skill Name' })).toHaveFocus();
    expect(line('Engine repair').getByText('Level: 70')).toBeInTheDocument();
    expect(line('Engine repair').getByText('· 1 technician, 2 opcode rules')).toBeInTheDocument();
    expect(line('Brakes').getByText('Level: 40')).toBeInTheDocument();
  });

  test.each([
    ['no name', '', '5'],
    ['no level', 'Glass', ''],
    ['neither', '', ''],
    ['half a level', 'Glass', '1.5'],
  ])('requires both fields where there is %s', async (_, name, level) => {
    const dialog = await openSkills();
    if (name !== '') await user.type(dialog.getByRole('textbox', { name: 'Skill Name' }), name);
    if (level !== '') await user.type(dialog.getByRole('spinbutton', { name: 'Skill Level' }), level);
    await user.click(dialog.getByRole('button', { name: 'Add Skill' }));
    await toast('Please fill in both skill name and level');
    expect(addSkill).not.toHaveBeenCalled();
  });

  test('adds a skill, reloads the list and clears the form', async () => {
    const dialog = await openSkills();
    vi.mocked(addSkill).mockImplementation(async ({ skillName, skillLevel, skillKind }) => {
      skills = [
        ...skills,
        { idSkill: 13, skillName, skillLevel, skillKind, usedBy: { technicians: 0, rules: 0 } },
      ];
    });
    await user.type(dialog.getByRole('textbox', { name: 'Skill Name' }), ' Glass ');
    await user.type(dialog.getByRole('combobox', { name: 'Kind' }), 'Body');
    await user.type(dialog.getByRole('spinbutton', { name: 'Skill Level' }), '0{Enter}');
    expect(addSkill).toHaveBeenCalledExactlyOnceWith({
      skillName: 'Glass',
      skillLevel: 0,
      skillKind: 'Body',
    });
    await toast('Skill added successfully');
    expect(line('Glass').getByText('Level: 0')).toBeInTheDocument();
    expect(line('Glass').getByText('· Kind: Body')).toBeInTheDocument();
    expect(dialog.getByRole('textbox', { name: 'Skill Name' })).toHaveValue('');
    expect(dialog.getByRole('spinbutton', { name: 'Skill Level' })).toHaveValue(null);
  });

  test('shows a message when a skill could not be added, and keeps the typed text', async () => {
    vi.mocked(addSkill).mockRejectedValue(refused('skill-exists'));
    const dialog = await openSkills();
    await user.type(dialog.getByRole('textbox', { name: 'Skill Name' }), 'Brakes');
    await user.type(dialog.getByRole('spinbutton', { name: 'Skill Level' }), '1{Enter}');
    await toast('Failed to add skill');
    expect(dialog.getByRole('textbox', { name: 'Skill Name' })).toHaveValue('Brakes');
  });

  test('shows a message when the skills could not be fetched', async () => {
    vi.mocked(fetchSkills).mockRejectedValue(new Error('away'));
    await openTree();
    await user.click(button('Manage Skills'));
    const sheet = within(await panel('Manage Skills'));
    expect(await sheet.findByRole('alert')).toHaveTextContent('Failed to fetch skills');
    expect(await screen.findAllByText('Failed to fetch skills')).toHaveLength(2);
  });

  test('gives a skill another name and level', async () => {
    const dialog = await openSkills();
    await user.click(dialog.getByRole('button', { name: 'Edit Brakes' }));
    const form = within(dialog.getByRole('form', { name: 'Edit Brakes' }));
    const name = form.getByRole('textbox', { name: 'Skill Name' });
    expect(name).toHaveFocus();
    await user.clear(name);
    await user.type(name, 'Brake service');
    await user.clear(form.getByRole('spinbutton', { name: 'Skill Level' }));
    await user.type(form.getByRole('spinbutton', { name: 'Skill Level' }), '45{Enter}');
    expect(changeSkill).toHaveBeenCalledExactlyOnceWith(12, { skillName: 'Brake service', skillLevel: 45 });
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Edit Brakes' })).toHaveFocus());
  });

  test('leaves what somebody else makes of a skill while it is edited', async () => {
    const dialog = await openSkills();
    await user.click(dialog.getByRole('button', { name: 'Edit Brakes' }));
    const form = within(dialog.getByRole('form', { name: 'Edit Brakes' }));
    skills = skills.map((one) =>
      one.idSkill === 12 ? { ...one, skillLevel: 55, skillKind: 'Chassis' } : one,
    );
    act(() => changed());
    // As soon as the skills are loaded again, their kinds are offered.
    await waitFor(() => expect(document.querySelector('option[value="Chassis"]')).not.toBeNull());
    await user.type(form.getByRole('textbox', { name: 'Skill Name' }), ' and ABS{Enter}');
    expect(changeSkill).toHaveBeenCalledExactlyOnceWith(12, { skillName: 'Brakes and ABS' });
  });

  test('sends nothing of a skill in which nothing was changed', async () => {
    const dialog = await openSkills();
    await user.click(dialog.getByRole('button', { name: 'Edit Brakes' }));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Edit Brakes' })).toHaveFocus());
    expect(changeSkill).not.toHaveBeenCalled();
  });

  test('cancels an edit with Escape, and stays open', async () => {
    const dialog = await openSkills();
    await user.click(dialog.getByRole('button', { name: 'Edit Brakes' }));
    await user.keyboard('x{Escape}');
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Edit Brakes' })).toHaveFocus());
    expect(dialog.getByText('Brakes')).toBeInTheDocument();
    expect(changeSkill).not.toHaveBeenCalled();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('deletes an unused skill without asking', async () => {
    const dialog = await openSkills();
    await user.click(dialog.getByRole('button', { name: 'Delete Brakes' }));
    expect(deleteSkill).toHaveBeenCalledExactlyOnceWith(12, false);
    await toast('Skill Brakes deleted');
  });

  test('asks before it deletes a used skill, with the numbers', async () => {
    const dialog = await openSkills();
    await user.click(dialog.getByRole('button', { name: 'Delete Engine repair' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Delete Engine repair?' }));
    expect(
      question.getByText('It is in use: 1 technician, 2 opcode rules. They lose it with it.'),
    ).toBeInTheDocument();
    await user.click(question.getByRole('button', { name: 'Cancel' }));
    expect(deleteSkill).not.toHaveBeenCalled();
    await user.click(dialog.getByRole('button', { name: 'Delete Engine repair' }));
    // Cancel has the focus.
    await user.keyboard('{Enter}');
    expect(deleteSkill).not.toHaveBeenCalled();
    await user.click(dialog.getByRole('button', { name: 'Delete Engine repair' }));
    await user.keyboard('{Tab}{Enter}');
    expect(deleteSkill).toHaveBeenCalledExactlyOnceWith(11, true);
  });

  test('asks when the skill has come into use meanwhile', async () => {
    const dialog = await openSkills();
    vi.mocked(deleteSkill).mockImplementationOnce(async () => {
      skills = skills.map((one) => ({ ...one, usedBy: { technicians: 3, rules: 0 } }));
      throw refused('skill-in-use');
    });
    await user.click(dialog.getByRole('button', { name: 'Delete Brakes' }));
    const question = await screen.findByRole('alertdialog', { name: 'Delete Brakes?' });
    expect(question).toHaveTextContent('3 technicians, 0 opcode rules');
    await user.keyboard('{Tab}{Enter}');
    expect(deleteSkill).toHaveBeenLastCalledWith(12, true);
  });
});

describe('a technician', () => {
  const openAna = async () => {
    await openTree();
    await user.click(button('Open Ana Ruiz'));
    return within(await panel('Ana Ruiz'));
  };

  test('is shown with all details, and a link to the portal', async () => {
    const dialog = await openAna();
    expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Ana Ruiz');
    expect(dialog.getByRole('textbox', { name: 'Specialty' })).toHaveValue('Engine');
    expect(dialog.getByRole('spinbutton', { name: 'Hours a day' })).toHaveValue(8);
    expect(dialog.getByRole('combobox', { name: 'Level' })).toHaveDisplayValue('Foreman');
    expect(dialog.getByRole('spinbutton', { name: 'Level of Engine repair' })).toHaveValue(60);
    expect(dialog.getByRole('link', { name: 'Open portal' })).toHaveAttribute('href', '/technicians/1');
  });

  test('is changed, and only the changed fields are sent', async () => {
    const dialog = await openAna();
    expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
    await user.clear(dialog.getByRole('spinbutton', { name: 'Hours a day' }));
    await user.type(dialog.getByRole('spinbutton', { name: 'Hours a day' }), '7.5');
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Level' }), 'Not placed');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(changeTechnician).toHaveBeenCalledExactlyOnceWith(1, { dailyHours: 7.5, idLevel: null });
    await toast('Ana Ruiz saved');
  });

  test('keeps what is typed while the change before it is being saved', async () => {
    let answer: () => void = () => undefined;
    vi.mocked(changeTechnician).mockReturnValue(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    const dialog = await openAna();
    await user.type(dialog.getByRole('textbox', { name: 'Specialty' }), 's');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await user.clear(dialog.getByRole('spinbutton', { name: 'Hours a day' }));
    await user.type(dialog.getByRole('spinbutton', { name: 'Hours a day' }), '6');
    await act(async () => answer());
    await toast('Ana Ruiz saved');
    expect(dialog.getByRole('spinbutton', { name: 'Hours a day' })).toHaveValue(6);
  });

  test.each(['0', '25', ''])('cannot have days of "%s" hours', async (hours) => {
    const dialog = await openAna();
    await user.clear(dialog.getByRole('spinbutton', { name: 'Hours a day' }));
    if (hours !== '') await user.type(dialog.getByRole('spinbutton', { name: 'Hours a day' }), hours);
    expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  });

  test('is given another level in a skill, another skill, and loses one', async () => {
    const dialog = await openAna();
    const level = dialog.getByRole('spinbutton', { name: 'Level of Engine repair' });
    await user.clear(level);
    await user.type(level, '65{Enter}');
    expect(setTechnicianSkill).toHaveBeenLastCalledWith(1, 11, 65);
    await toast('Ana Ruiz has Engine repair at level 65');
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Add a skill' }), 'Brakes');
    await user.click(dialog.getByRole('button', { name: 'Add' }));
    expect(setTechnicianSkill).toHaveBeenLastCalledWith(1, 12, undefined);
    await toast('Ana Ruiz has Brakes at level 40');
    await user.click(dialog.getByRole('button', { name: 'Remove Engine repair' }));
    expect(removeTechnicianSkill).toHaveBeenCalledExactlyOnceWith(1, 11);
  });

  test('is given no skill at a level that is no number', async () => {
    const dialog = await openAna();
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Add a skill' }), 'Brakes');
    expect(dialog.getByRole('button', { name: 'Add' })).toBeEnabled();
    // Where nothing is typed they get the skill's own level.
    typeUnreadable(dialog.getByPlaceholderText('40'));
    expect(dialog.getByRole('button', { name: 'Add' })).toBeDisabled();
  });

  test('is deleted after a question', async () => {
    const dialog = await openAna();
    await user.click(dialog.getByRole('button', { name: 'Delete technician' }));
    await screen.findByRole('alertdialog', { name: 'Delete Ana Ruiz?' });
    await user.keyboard('{Enter}');
    expect(deleteTechnician).not.toHaveBeenCalled();
    await user.click(dialog.getByRole('button', { name: 'Delete technician' }));
    await user.keyboard('{Tab}{Enter}');
    expect(deleteTechnician).toHaveBeenCalledExactlyOnceWith(1);
    await toast('Ana Ruiz deleted');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  test('with open work is not deleted, and the reason is shown', async () => {
    vi.mocked(deleteTechnician).mockRejectedValue(refused('technician-in-use'));
    const dialog = await openAna();
    await user.click(dialog.getByRole('button', { name: 'Delete technician' }));
    await user.keyboard('{Tab}{Enter}');
    await toast('They are on open repair orders or have an account. Take those away first.');
    expect(await panel('Ana Ruiz')).toBeInTheDocument();
  });

  test('that does not exist is shown as unknown', async () => {
    open('/technician-management?panel=99');
    expect(await panel('There is no technician 99')).toBeInTheDocument();
  });

  test('is added', async () => {
    await openTree();
    await user.click(button('Add Technician'));
    const dialog = within(await panel('Add Technician'));
    expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveFocus();
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Dee Chen');
    await user.type(dialog.getByRole('spinbutton', { name: 'Technician number' }), '77');
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Level' }), 'Lube-tech');
    await user.click(dialog.getByRole('button', { name: 'Add Technician' }));
    expect(addTechnician).toHaveBeenCalledExactlyOnceWith({
      idTechnician: 77,
      displayName: 'Dee Chen',
      specialty: '',
      dailyHours: 8,
      idLevel: 3,
    });
    await toast('Dee Chen added');
  });

  test('is added while another panel is open, which stays', async () => {
    let answer: () => void = () => undefined;
    vi.mocked(addTechnician).mockReturnValue(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    await openTree();
    await user.click(button('Add Technician'));
    const dialog = within(await panel('Add Technician'));
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Dee Chen');
    await user.type(dialog.getByRole('spinbutton', { name: 'Technician number' }), '77');
    await user.click(dialog.getByRole('button', { name: 'Add Technician' }));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await user.click(button('Assign Technician'));
    await panel('Assign Technician');
    await act(async () => answer());
    await toast('Dee Chen added');
    expect(await panel('Assign Technician')).toBeInTheDocument();
  });
});

describe('opcode rules', () => {
  const openRules = async () => {
    await openTree();
    await user.click(button('Opcode rules'));
    const dialog = within(await panel('Opcode rules'));
    await dialog.findByText('ENG*');
    return dialog;
  };

  test('are read by everybody and written by owners', async () => {
    session.permissions = OWNER.filter((one) => one !== 'manage-opcode-rules');
    const dialog = await openRules();
    expect(dialog.getByText('Engine repair · Level: 50')).toBeInTheDocument();
    expect(dialog.getByText('Only owners change these rules.')).toBeInTheDocument();
    expect(dialog.queryByRole('form')).not.toBeInTheDocument();
    expect(dialog.getAllByRole('button')).toHaveLength(1);
  });

  test('are added, with the skill’s own level at first', async () => {
    const dialog = await openRules();
    await user.type(dialog.getByRole('textbox', { name: 'Opcode' }), ' BRK* ');
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Skill' }), 'Brakes');
    expect(dialog.getByRole('spinbutton', { name: 'At least level' })).toHaveValue(40);
    await user.click(dialog.getByRole('button', { name: 'Add rule' }));
    expect(addRule).toHaveBeenCalledExactlyOnceWith({ pattern: 'BRK*', idSkill: 12, level: 40 });
    await toast('Rule for BRK* added');
    expect(dialog.getByRole('textbox', { name: 'Opcode' })).toHaveValue('');
  });

  test('are changed and deleted', async () => {
    const dialog = await openRules();
    await user.click(dialog.getByRole('button', { name: 'Edit the rule for ENG*' }));
    const form = within(dialog.getByRole('form', { name: 'Edit the rule for ENG*' }));
    await user.clear(form.getByRole('spinbutton', { name: 'At least level' }));
    await user.type(form.getByRole('spinbutton', { name: 'At least level' }), '55{Enter}');
    expect(changeRule).toHaveBeenCalledExactlyOnceWith(5, { level: 55 });
    await user.click(await dialog.findByRole('button', { name: 'Delete the rule for ENG*' }));
    const question = await screen.findByRole('alertdialog', { name: 'Delete the rule for ENG*?' });
    // A key pressed once too often deletes nothing.
    expect(within(question).getByRole('button', { name: 'Cancel' })).toHaveFocus();
    expect(deleteRule).not.toHaveBeenCalled();
    await user.click(within(question).getByRole('button', { name: 'Delete' }));
    expect(deleteRule).toHaveBeenCalledExactlyOnceWith(5);
    await toast('Rule for ENG* deleted');
  });

  test('keep what somebody else makes of one while it is edited', async () => {
    const dialog = await openRules();
    await user.click(dialog.getByRole('button', { name: 'Edit the rule for ENG*' }));
    const form = within(dialog.getByRole('form', { name: 'Edit the rule for ENG*' }));
    vi.mocked(fetchRules).mockResolvedValue([
      { idRule: 5, pattern: 'ENG*', idSkill: 12, skillName: 'Brakes', level: 70 },
      { idRule: 6, pattern: 'BRK*', idSkill: 12, skillName: 'Brakes', level: 40 },
    ]);
    act(() => changed());
    await dialog.findByText('BRK*');
    const pattern = form.getByRole('textbox', { name: 'Opcode' });
    await user.clear(pattern);
    await user.type(pattern, 'ENGINE*{Enter}');
    expect(changeRule).toHaveBeenCalledExactlyOnceWith(5, { pattern: 'ENGINE*' });
  });

  test('in which nothing was changed are not sent', async () => {
    const dialog = await openRules();
    await user.click(dialog.getByRole('button', { name: 'Edit the rule for ENG*' }));
    const form = dialog.getByRole('form', { name: 'Edit the rule for ENG*' });
    await user.click(within(form).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(form).not.toBeInTheDocument());
    expect(changeRule).not.toHaveBeenCalled();
  });

  test('that could not be added show a message and keep the typed text', async () => {
    vi.mocked(addRule).mockRejectedValue(refused('rule-exists'));
    const dialog = await openRules();
    await user.type(dialog.getByRole('textbox', { name: 'Opcode' }), 'ENG*');
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Skill' }), 'Brakes');
    await user.click(dialog.getByRole('button', { name: 'Add rule' }));
    await toast('There is already a rule for these opcodes');
    expect(dialog.getByRole('textbox', { name: 'Opcode' })).toHaveValue('ENG*');
  });
});

describe('the questions of stories', () => {
  const openKinds = async () => {
    await openTree();
    await user.click(button('Opcode rules'));
    const dialog = within(await panel('Opcode rules'));
    expect(dialog.queryByText('LEAK*')).not.toBeInTheDocument();
    await user.click(dialog.getByRole('radio', { name: 'Questions of stories' }));
    await dialog.findByText('LEAK*');
    expect(dialog.queryByText('ENG*')).not.toBeInTheDocument();
    return within(dialog.getByRole('region', { name: 'Questions of stories' }));
  };

  test('are set for an opcode, and left to the interviewer again', async () => {
    const kinds = await openKinds();
    expect(kinds.getByRole('listitem')).toHaveTextContent('LEAK*Leak');
    // A kind that this page has no name for is called by its id.
    expect(kinds.getByRole('option', { name: 'new-one' })).toBeInTheDocument();
    await user.type(kinds.getByRole('textbox', { name: 'For opcode' }), ' nvh* ');
    await user.selectOptions(kinds.getByRole('combobox', { name: 'Kind of job' }), 'Noise');
    await user.click(kinds.getByRole('button', { name: 'Add entry' }));
    expect(putStoryKind).toHaveBeenCalledExactlyOnceWith('NVH*', 'noise');
    await toast('Questions for NVH* set');
    expect(kinds.getByRole('textbox', { name: 'For opcode' })).toHaveValue('');
    await user.click(kinds.getByRole('button', { name: 'Delete the entry for LEAK*' }));
    expect(putStoryKind).toHaveBeenLastCalledWith('LEAK*', null);
    await toast('Questions for LEAK* left to the interviewer');
  });

  test('are read by who may not write them', async () => {
    session.permissions = OWNER.filter((one) => one !== 'manage-opcode-rules');
    const kinds = await openKinds();
    expect(kinds.queryByRole('form')).not.toBeInTheDocument();
    expect(kinds.queryByRole('button')).not.toBeInTheDocument();
  });
});

test('a user who may only read sees everything and can change nothing', async () => {
  session.permissions = [];
  await openTree();
  for (const name of [
    /^Drag/,
    /^Move/,
    /more$/,
    'Add level',
    'Add Technician',
    'Assign Technician',
    'Manage Skills',
  ]) {
    expect(screen.queryByRole('button', { name })).not.toBeInTheDocument();
  }
  await user.click(button('Skills'));
  const skillPanel = within(await panel('Skills'));
  await skillPanel.findByText('Engine repair');
  expect(skillPanel.getAllByRole('button')).toHaveLength(1);
  await user.click(skillPanel.getByRole('button', { name: 'Close' }));
  await user.click(button('Open Ana Ruiz'));
  const technician = within(await panel('Ana Ruiz'));
  expect(technician.getByText('Foreman')).toBeInTheDocument();
  expect(technician.getByText('Level: 60')).toBeInTheDocument();
  expect(technician.queryByRole('textbox')).not.toBeInTheDocument();
  expect(technician.getAllByRole('button')).toHaveLength(1);
});

test('speaks German and Spanish, also in the announcements of dragging', async () => {
  lieBelowOneAnother();
  await changeLanguage('de');
  open();
  const grip = await screen.findByRole('button', { name: `${ana.displayName} ziehen` });
  expect(grip).toHaveAccessibleDescription(/Mit der Leertaste/);
  await act(() => changeLanguage('es'));
  expect(button('Asignar técnico')).toBeInTheDocument();
});
