import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes } from 'react-router';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ErrorCode } from '../api/error-code.ts';
import { ApiError } from '../api/http.ts';
import { fetchMachineStatus, type MachineStatus } from '../api/machine-status.ts';
import { fetchTechnicians } from '../api/repair-orders.ts';
import { onStaffChange } from '../api/socket.ts';
import {
  deleteStaff,
  endSessionOf,
  endSessionsOf,
  fetchSessionsOf,
  fetchSkills,
  fetchStaff,
  giveSkill,
  inviteUser,
  type StaffMember,
  updateStaff,
} from '../api/users.ts';
import { skills } from '../repair-order/skills.ts';
import { RUNNING_SERVER } from '../shop/running-server.fixture.ts';
import { Toasts } from '../ui/toasts.tsx';
import { member, skillList, technicianList } from './people.fixture.ts';
import { UsersScreen } from './users-screen.tsx';

vi.mock('../api/socket.ts', () => ({ onStaffChange: vi.fn(), openSocket: vi.fn() }));
vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchTechnicians: vi.fn(),
}));
vi.mock('../api/users.ts', async (original) => ({
  ...(await original<typeof import('../api/users.ts')>()),
  fetchStaff: vi.fn(),
  fetchSkills: vi.fn(),
  updateStaff: vi.fn(),
  deleteStaff: vi.fn(),
  inviteUser: vi.fn(),
  giveSkill: vi.fn(),
  fetchSessionsOf: vi.fn(),
  endSessionOf: vi.fn(),
  endSessionsOf: vi.fn(),
}));
vi.mock('../api/machine-status.ts', () => ({ fetchMachineStatus: vi.fn() }));
const session = vi.hoisted(() => ({ mayManage: true }));
vi.mock('../auth/use-session.ts', () => ({
  usePermission: (permission: string) =>
    permission === 'see-server-status' || (permission === 'manage-users' && session.mayManage),
  useUser: () => ({ uid: 'u1', email: 'Owner@Example.com' }),
}));

const OWNER = 'owner@example.com';
const JOE = 'joe@example.com';
const NORA = 'nora@example.com';

const machine: MachineStatus = {
  server: RUNNING_SERVER,
  otherServers: [],
  disk: [],
  backups: null,
  configuration: [],
  intake: null,
  mailFolder: null,
};

/** What the server has. */
let people: StaffMember[];
let user: ReturnType<typeof userEvent.setup>;
let client: QueryClient;
/** As the socket tells it. */
let changed: () => void;

beforeEach(() => {
  user = userEvent.setup();
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  session.mayManage = true;
  vi.mocked(fetchMachineStatus).mockResolvedValue(machine);
  people = [
    member(OWNER, { name: 'Olivia Grant', roles: ['Owner', 'Admin'] }),
    member(NORA, {
      name: 'Nora New',
      roles: ['Service_Manager'],
      invited: true,
      invitedAt: '2026-03-02T14:00:00Z',
    }),
    member(JOE, { name: 'Joe Marsh', roles: ['Technician'], technicianId: 4, skill: 'Craftsman' }),
  ];
  for (const call of [updateStaff, deleteStaff, inviteUser, giveSkill, fetchStaff])
    vi.mocked(call).mockReset();
  vi.mocked(fetchStaff).mockImplementation(async () => people);
  vi.mocked(updateStaff).mockImplementation(async (id, change) => {
    people = people.map((one) => (one.id === id ? { ...one, ...change } : one));
  });
  vi.mocked(fetchTechnicians).mockReset().mockResolvedValue(technicianList);
  vi.mocked(fetchSkills).mockReset().mockResolvedValue(skillList);
  vi.mocked(onStaffChange).mockImplementation((listener) => {
    changed = listener;
    return () => undefined;
  });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

function open(state: object | null = null) {
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[{ pathname: '/users', state }]}>
        <Routes>
          <Route path="/users" element={<UsersScreen />} />
          <Route path="/dashboard" element="the desk" />
        </Routes>
      </MemoryRouter>
      <Toasts region="Notifications" one="Notification" closeLabel="Dismiss" />
    </QueryClientProvider>,
  );
}
async function openList() {
  open();
  await screen.findByRole('table');
  await screen.findByRole('option', { name: 'Joe Marsh · Engine' });
  await screen.findByRole('option', { name: 'Master' });
}

const row = (email: string) => screen.getByRole('row', { name: new RegExp(email.replace('.', '\\.')) });
const button = (name: string) => screen.getByRole('button', { name });
const box = (email: string, role: string) =>
  within(screen.getByRole('group', { name: `Roles of ${email}` })).getByRole('checkbox', { name: role });
const refuse = (sentence: string, code: ErrorCode = 'refused') => new ApiError(409, code, sentence);
const banner = async (text: string) => {
  expect(await screen.findByText(text)).toHaveRole('alert');
};

describe('the list', () => {
  test('names its page', async () => {
    await openList();
    expect(document.title).toBe('User Management');
  });

  test('lists everybody by name, with roles, skill and status', async () => {
    await openList();
    expect(screen.getAllByRole('columnheader').map((one) => one.textContent)).toEqual([
      'Name/Email',
      'Roles',
      'Skill',
      'Status',
      'Actions',
    ]);
    const cells = screen
      .getAllByRole('row')
      .slice(1)
      .map((one) =>
        within(one)
          .getAllByRole('cell')
          .slice(0, 4)
          .map((cell) => cell.textContent),
      );
    expect(cells).toEqual([
      ['Joe Marshjoe@example.com · Technician 4 · Max skill: Craftsman', 'Technician', 'Craftsman', 'Active'],
      ['Nora Newnora@example.com', 'Service Manager', '–', expect.stringMatching(/^Pendingsince /)],
      ['Olivia GrantYouowner@example.com', 'AdminOwner', '–', 'Active'],
    ]);
    expect(screen.getByText('3 users · 1 pending')).toBeInTheDocument();
    expect(screen.queryByRole('textbox', { name: 'Filter users' })).not.toBeInTheDocument();
  });

  test('sorts by any of its columns', async () => {
    people = [...people, member('kim@example.com', { name: 'Kim Ito', technicianId: 5, skill: 'Master' })];
    await openList();
    const sortedBy = async (name: string) => {
      const head = screen.getByRole('columnheader', { name });
      await user.click(within(head).getByRole('button'));
      const names = screen
        .getAllByRole('row')
        .slice(1)
        .map((one) => one.textContent?.slice(0, 3));
      return [head.getAttribute('aria-sort'), ...names];
    };
    expect(await sortedBy('Name/Email')).toEqual(['ascending', 'Joe', 'Kim', 'Nor', 'Oli']);
    expect(await sortedBy('Name/Email')).toEqual(['descending', 'Oli', 'Nor', 'Kim', 'Joe']);
    expect(await sortedBy('Name/Email')).toEqual(['none', 'Joe', 'Kim', 'Nor', 'Oli']);
    expect(await sortedBy('Roles')).toEqual(['ascending', 'Oli', 'Joe', 'Kim', 'Nor']);
    // By level, not by name; nobody without a skill stands before one who has it.
    expect(await sortedBy('Skill')).toEqual(['ascending', 'Joe', 'Kim', 'Nor', 'Oli']);
    expect(await sortedBy('Skill')).toEqual(['descending', 'Kim', 'Joe', 'Nor', 'Oli']);
    expect(await sortedBy('Status')).toEqual(['ascending', 'Nor', 'Joe', 'Kim', 'Oli']);
    expect(within(screen.getByRole('columnheader', { name: 'Actions' })).queryByRole('button')).toBeNull();
  });

  test('has no column for skills where nobody is a technician', async () => {
    people = people.filter(({ technicianId }) => technicianId === null);
    await openList();
    expect(screen.queryByRole('columnheader', { name: 'Skill' })).not.toBeInTheDocument();
    expect(within(row(NORA)).getAllByRole('cell')).toHaveLength(4);
  });

  test('has a filter once it is long', async () => {
    people = [...people, ...Array.from({ length: 8 }, (_, n) => member(`m${n}@example.com`))];
    await openList();
    await user.type(screen.getByRole('textbox', { name: 'Filter users' }), 'service NORA');
    expect(screen.getAllByRole('row')).toHaveLength(2);
    expect(row(NORA)).toBeInTheDocument();
    await user.type(screen.getByRole('textbox', { name: 'Filter users' }), 'x');
    expect(screen.getByText('No user matches “service NORAx”')).toBeInTheDocument();
    await user.click(screen.getAllByRole('button', { name: 'Clear filter' })[0] ?? document.body);
    expect(screen.getAllByRole('row')).toHaveLength(12);
  });

  test('is loading, and empty', async () => {
    let answer: (list: StaffMember[]) => void = () => undefined;
    vi.mocked(fetchStaff).mockReturnValueOnce(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    open();
    expect(screen.getByText('Loading users...')).toBeInTheDocument();
    await act(async () => answer([]));
    expect(await screen.findByText('There are no users yet')).toBeInTheDocument();
  });

  test('says that it failed to load, and tries again', async () => {
    vi.mocked(fetchStaff).mockRejectedValueOnce(refuse('Not today.'));
    open();
    expect(await screen.findByText('Users could not be loaded')).toBeInTheDocument();
    expect(screen.getByText('Not today.')).toBeInTheDocument();
    await user.click(button('Try again'));
    expect(await screen.findByRole('table')).toBeInTheDocument();
  });

  test('stays and says so when it could not be reloaded', async () => {
    await openList();
    vi.mocked(fetchStaff).mockRejectedValueOnce(refuse('Not today.'));
    act(() => changed());
    expect(
      await screen.findByText('Users could not be loaded again: Not today. What you see may be out of date.'),
    ).toBeInTheDocument();
    expect(row(JOE)).toBeInTheDocument();
  });

  test('redirects users who may not manage users to the dashboard', () => {
    session.mayManage = false;
    open();
    expect(screen.getByText('the desk')).toBeInTheDocument();
    expect(fetchStaff).not.toHaveBeenCalled();
  });

  test('reloads with the technicians when somebody changed it', async () => {
    await openList();
    people = people.map((one) => (one.id === NORA ? { ...one, invited: false } : one));
    vi.mocked(fetchTechnicians).mockResolvedValue(
      technicianList.map((one) => ({ ...one, maxSkillName: 'Master' })),
    );
    act(() => changed());
    await waitFor(() => expect(row(NORA)).toHaveTextContent('Active'));
    await waitFor(() => expect(row(JOE)).toHaveTextContent('Max skill: Master'));
  });
});

describe('an invitation', () => {
  const email = () => screen.getByLabelText('Email');
  const name = () => screen.getByLabelText('Name');
  const technician = () => screen.getByLabelText('Select Technician');
  const skill = () => screen.getByLabelText('Select Skill');
  const send = () => button('Send Invitation');
  const roles = () => within(screen.getByRole('group', { name: 'Roles' }));

  test('needs an email and a name', async () => {
    await openList();
    expect(email()).toBeRequired();
    expect(email()).toHaveAttribute('type', 'email');
    expect(name()).toBeRequired();
    await user.click(send());
    await user.type(email(), 'ana@example.com');
    await user.click(send());
    expect(inviteUser).not.toHaveBeenCalled();
  });

  test('is for an Admin unless other roles are chosen, reads Sending Invitation..., and clears the form', async () => {
    let done: () => void = () => undefined;
    vi.mocked(inviteUser).mockReturnValueOnce(
      new Promise((resolve) => {
        done = resolve;
      }),
    );
    await openList();
    expect(
      roles()
        .getAllByRole('checkbox')
        .map((one) => (one.closest('label')?.textContent ?? '') + (one.matches(':checked') ? ' +' : '')),
    ).toEqual(['Admin +', 'Technician', 'Advisor', 'Service Manager', 'Used', 'Owner']);
    await user.type(email(), ' ana@example.com ');
    await user.type(name(), 'Ana Ruiz');
    await user.click(roles().getByRole('checkbox', { name: 'Service Manager' }));
    await user.click(send());
    expect(inviteUser).toHaveBeenCalledWith({
      email: 'ana@example.com',
      userData: { name: 'Ana Ruiz', roles: ['Admin', 'Service_Manager'] },
    });
    expect(button('Sending Invitation...')).toBeDisabled();
    people = [...people, member('ana@example.com', { name: 'Ana Ruiz', invited: true })];
    await act(async () => done());
    expect(screen.getByText('Invitation to ana@example.com is on its way')).toBeInTheDocument();
    expect(email()).toHaveValue('');
    expect(email()).toHaveFocus();
    expect(name()).toHaveValue('');
    expect(roles().getByRole('checkbox', { name: 'Service Manager' })).not.toBeChecked();
    await waitFor(() => expect(row('ana@example.com')).toHaveTextContent('Pending'));
    expect(giveSkill).not.toHaveBeenCalled();
  });

  test('that is answered late leaves the next one, which is being typed', async () => {
    let done: () => void = () => undefined;
    vi.mocked(inviteUser).mockReturnValueOnce(
      new Promise((resolve) => {
        done = resolve;
      }),
    );
    await openList();
    await user.type(email(), 'ana@example.com');
    await user.type(name(), 'Ana Ruiz');
    await user.click(send());
    await user.clear(email());
    await user.type(email(), 'bo@example.com');
    await user.clear(name());
    await user.type(name(), 'Bo Li');
    await act(async () => done());
    expect(await screen.findByText('Invitation to ana@example.com is on its way')).toBeInTheDocument();
    expect(email()).toHaveValue('bo@example.com');
    expect(name()).toHaveValue('Bo Li');
    expect(name()).toHaveFocus();
  });

  test('of a technician has their name, and needs a skill', async () => {
    await openList();
    expect(
      within(technician())
        .getAllByRole('option')
        .map((one) => one.textContent),
    ).toEqual(['No technician', 'Joe Marsh · Engine', 'Kim Ito']);
    await user.type(name(), 'Somebody');
    expect(skill()).not.toBeRequired();
    await user.selectOptions(technician(), 'Kim Ito');
    expect(name()).toHaveValue('Kim Ito');
    expect(name()).toHaveAttribute('readonly');
    expect(skill()).toBeRequired();
    await user.type(email(), 'kim@example.com');
    await user.click(send());
    expect(inviteUser).not.toHaveBeenCalled();
    await user.selectOptions(skill(), 'Master');
    await user.click(send());
    expect(inviteUser).toHaveBeenCalledWith({
      email: 'kim@example.com',
      userData: { name: 'Kim Ito', roles: ['Technician'], technicianId: 5, skill: 'Master' },
    });
  });

  test('of a technician, in a shop without skills, says where one is made', async () => {
    vi.mocked(fetchSkills).mockResolvedValue([]);
    open();
    await screen.findByRole('option', { name: 'Kim Ito' });
    expect(await screen.findByText(/^The shop has no skill yet/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Add a skill' })).toHaveAttribute(
      'href',
      '/technician-management?panel=skills',
    );
    expect(skill()).toHaveAccessibleDescription(/a technician is invited with one/);
    act(() => void client.setQueryData(skills.queryKey, skillList));
    await screen.findByRole('option', { name: 'Master' });
    expect(screen.queryByRole('link', { name: 'Add a skill' })).not.toBeInTheDocument();
  });

  test('of a technician is for a Technician and not for an Admin', async () => {
    await openList();
    const isChecked = (role: string) =>
      roles().getByRole<HTMLInputElement>('checkbox', { name: role }).checked;
    await user.selectOptions(technician(), 'Kim Ito');
    expect([isChecked('Technician'), isChecked('Admin')]).toEqual([true, false]);
    await user.click(roles().getByRole('checkbox', { name: 'Admin' }));
    expect([isChecked('Technician'), isChecked('Admin')]).toEqual([true, true]);
  });

  test('of a technician who has an account names it, and asks before another one', async () => {
    await openList();
    await user.type(email(), 'joe2@example.com');
    await user.selectOptions(technician(), 'Joe Marsh · Engine');
    expect(technician()).toHaveAccessibleDescription(`Already linked to ${JOE}`);
    await user.selectOptions(skill(), 'Master');
    await user.click(send());
    const asked = () => within(screen.getByRole('alertdialog', { name: 'Joe Marsh already has an account' }));
    await screen.findByRole('alertdialog');
    expect(asked().getByText(new RegExp(`^${JOE} is linked to this technician`))).toBeInTheDocument();
    expect(asked().getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    expect(inviteUser).not.toHaveBeenCalled();
    expect(email()).toHaveValue('joe2@example.com');

    await user.click(send());
    await screen.findByRole('alertdialog');
    await user.click(asked().getByRole('button', { name: 'Invite anyway' }));
    await waitFor(() =>
      expect(inviteUser).toHaveBeenCalledExactlyOnceWith({
        email: 'joe2@example.com',
        userData: { name: 'Joe Marsh', roles: ['Technician'], technicianId: 4, skill: 'Master' },
      }),
    );
  });

  test('of a technician waits for the list of users, which says who has an account', async () => {
    let load: (list: StaffMember[]) => void = () => undefined;
    vi.mocked(fetchStaff).mockReturnValueOnce(
      new Promise((resolve) => {
        load = resolve;
      }),
    );
    open();
    await screen.findByRole('option', { name: 'Joe Marsh · Engine' });
    await screen.findByRole('option', { name: 'Master' });
    await user.type(email(), 'joe2@example.com');
    await user.selectOptions(technician(), 'Joe Marsh · Engine');
    await user.selectOptions(skill(), 'Master');
    await user.click(send());
    expect(button('Sending Invitation...')).toBeDisabled();
    await act(async () => load(people));
    expect(
      await screen.findByRole('alertdialog', { name: 'Joe Marsh already has an account' }),
    ).toBeInTheDocument();
    expect(inviteUser).not.toHaveBeenCalled();
  });

  test('of a technician is not sent while the list of users cannot be had, and can be tried again', async () => {
    vi.mocked(fetchStaff).mockRejectedValue(new ApiError(0, 'network', 'The server could not be reached.'));
    open();
    await screen.findByRole('option', { name: 'Joe Marsh · Engine' });
    await screen.findByRole('option', { name: 'Master' });
    await user.type(email(), 'joe2@example.com');
    await user.selectOptions(technician(), 'Joe Marsh · Engine');
    await user.selectOptions(skill(), 'Master');
    await user.click(send());
    const alert = await screen.findByText(
      /^The invitation was not sent: whether Joe Marsh already has an account could not be checked\./,
    );
    expect(alert).toHaveRole('alert');
    expect(inviteUser).not.toHaveBeenCalled();

    vi.mocked(fetchStaff).mockResolvedValue(people);
    const again = alert.parentElement;
    if (again === null) throw new Error('There is no way to try again.');
    await user.click(within(again).getByRole('button', { name: 'Try again' }));
    expect(
      await screen.findByRole('alertdialog', { name: 'Joe Marsh already has an account' }),
    ).toBeInTheDocument();
    expect(alert).not.toBeInTheDocument();
  });

  test('to the account that has the technician already is sent without a question', async () => {
    await openList();
    await user.type(email(), JOE);
    await user.selectOptions(technician(), 'Joe Marsh · Engine');
    await user.selectOptions(skill(), 'Master');
    await user.click(send());
    await waitFor(() => expect(inviteUser).toHaveBeenCalledTimes(1));
  });

  test('restores the typed name when the technician is unselected', async () => {
    await openList();
    await user.type(name(), 'Somebody');
    await user.selectOptions(technician(), 'Kim Ito');
    await user.selectOptions(technician(), 'No technician');
    expect(name()).toHaveValue('Somebody');
    expect(name()).not.toHaveAttribute('readonly');
  });

  test.each(['That email address is in use.', 'Failed to invite user'])(
    'that is refused says so in the banner, and keeps the form: %s',
    async (sentence) => {
      vi.mocked(inviteUser).mockRejectedValueOnce(new Error(sentence));
      await openList();
      await user.type(email(), 'ana@example.com');
      await user.type(name(), 'Ana Ruiz');
      await user.click(send());
      await banner(sentence);
      expect(email()).toHaveValue('ana@example.com');
      expect(send()).toBeEnabled();
      await user.click(button('Dismiss'));
      expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    },
  );

  test('that is pending is sent again with the values of the record', async () => {
    await openList();
    expect(screen.getAllByRole('button', { name: /^Send again/ })).toHaveLength(1);
    await user.click(button(`Send again to ${NORA}`));
    expect(inviteUser).toHaveBeenCalledWith({
      email: NORA,
      userData: { name: 'Nora New', roles: ['Service_Manager'] },
    });
    expect(await screen.findByText(`Invitation to ${NORA} is on its way again`)).toBeInTheDocument();
    vi.mocked(inviteUser).mockRejectedValueOnce(new Error('The mail could not be sent.'));
    await user.click(button(`Send again to ${NORA}`));
    await banner('The mail could not be sent.');
  });
});

describe('the mail of an invitation', () => {
  test('reaches nobody without a mail server, and whoever invites reads so', async () => {
    vi.mocked(fetchMachineStatus).mockResolvedValue({ ...machine, mailFolder: '/var/lib/dispatch/mail' });
    await openList();
    expect(await screen.findByText(/become files in \/var\/lib\/dispatch\/mail/)).toBeVisible();
    await user.type(screen.getByLabelText('Email'), 'ana@example.com');
    await user.type(screen.getByLabelText('Name'), 'Ana Ruiz');
    await user.click(button('Send Invitation'));
    expect(
      await screen.findByText(
        'The invitation to ana@example.com waits as a file in /var/lib/dispatch/mail on the server: pass its link on.',
      ),
    ).toBeInTheDocument();
    await user.click(button(`Send again to ${NORA}`));
    expect(
      await screen.findByText(
        `A new invitation to ${NORA} waits as a file in /var/lib/dispatch/mail on the server: pass its link on.`,
      ),
    ).toBeInTheDocument();
    expect(screen.queryByText(/on its way/)).not.toBeInTheDocument();
  });

  const nora = async (mail: Partial<NonNullable<StaffMember['invitationMail']>>) => {
    const invitationMail = {
      state: 'queued' as const,
      at: '2026-03-02T14:00:00Z',
      failure: null,
      nextAttemptAt: null,
      ...mail,
    };
    people = people.map((one) => (one.id === NORA ? { ...one, invitationMail } : one));
    await openList();
    return row(NORA);
  };
  const note = (text: RegExp) => screen.queryByText(text);

  test('that is queued or sent is shown beside the status', async () => {
    expect(await nora({ state: 'queued' })).toHaveTextContent('PendingWaits to be mailed');
    people = people.map((one) => ({
      ...one,
      invitationMail: one.invitationMail && { ...one.invitationMail, state: 'sent' },
    }));
    act(() => changed());
    await waitFor(() => expect(row(NORA)).toHaveTextContent(/PendingMailed \S/));
    expect(note(/could not be mailed/)).not.toBeInTheDocument();
  });

  test('is called a file, and not mailed, without a mail server', async () => {
    vi.mocked(fetchMachineStatus).mockResolvedValue({ ...machine, mailFolder: '/var/lib/dispatch/mail' });
    await nora({ state: 'sent' });
    await waitFor(() => expect(row(NORA)).toHaveTextContent(/PendingAs a file \S/));
  });

  test('that failed shows the reason and the next attempt', async () => {
    const failure = 'the mail server did not take it: 451 busy';
    const cell = await nora({ state: 'retrying', failure, nextAttemptAt: '2026-03-02T14:00:05Z' });
    expect(cell).toHaveTextContent('PendingNot mailed yet');
    expect(
      note(
        /^The invitation could not be mailed: “the mail server did not take it: 451 busy”\. Next try \S.*\.$/,
      ),
    ).toBeVisible();
  });

  test('that finally failed says so and can be sent again', async () => {
    expect(await nora({ state: 'failed', failure: '550 nobody' })).toHaveTextContent('PendingNot mailed');
    expect(note(/and is not tried again: “550 nobody”\. Send it again/)).toBeVisible();
    await user.click(button(`Send again to ${NORA}`));
    expect(inviteUser).toHaveBeenCalledTimes(1);
  });
});

describe('editing', () => {
  test('changes the roles in place, by keyboard alone, and returns the focus', async () => {
    await openList();
    button(`Edit ${JOE}`).focus();
    await user.keyboard('{Enter}');
    expect(box(JOE, 'Admin')).toHaveFocus();
    await user.keyboard(' ');
    button(`Save changes to ${JOE}`).focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(updateStaff).toHaveBeenCalledWith(JOE, { roles: ['Admin', 'Technician'] }));
    await waitFor(() => expect(button(`Edit ${JOE}`)).toHaveFocus());
    expect(within(row(JOE)).getByText('Admin')).toBeInTheDocument();
    expect(giveSkill).not.toHaveBeenCalled();
  });

  test('ends with Cancel and with Escape, with nothing changed', async () => {
    await openList();
    for (const leave of [
      () => user.click(button(`Cancel changes to ${JOE}`)),
      () => user.keyboard('{Escape}'),
    ]) {
      await user.click(button(`Edit ${JOE}`));
      await user.click(box(JOE, 'Owner'));
      await leave();
      expect(button(`Edit ${JOE}`)).toHaveFocus();
      expect(row(JOE)).not.toHaveTextContent('Owner');
    }
    expect(updateStaff).not.toHaveBeenCalled();
  });

  test('gives a technician a skill, both on the technician and in the staff record', async () => {
    await openList();
    await user.click(button(`Edit ${JOE}`));
    await user.selectOptions(screen.getByLabelText(`Skill of ${JOE}`), 'Master');
    await user.click(button(`Save changes to ${JOE}`));
    await waitFor(() => expect(updateStaff).toHaveBeenCalledWith(JOE, { skill: 'Master' }));
    expect(giveSkill).toHaveBeenCalledWith(4, 11);
    expect(button(`Edit ${JOE}`)).toBeInTheDocument();
  });

  test('offers no skill to a user who is not a technician', async () => {
    await openList();
    await user.click(button(`Edit ${NORA}`));
    expect(screen.queryByLabelText(`Skill of ${NORA}`)).not.toBeInTheDocument();
  });

  test('links an account to a technician, who has the role and may be given a skill', async () => {
    await openList();
    await user.click(button(`Edit ${NORA}`));
    const technician = screen.getByLabelText(`Technician of ${NORA}`);
    expect(technician).toHaveDisplayValue('No technician');
    await user.selectOptions(technician, 'Joe Marsh · Engine');
    expect(technician).toHaveAccessibleDescription(`Already linked to ${JOE}`);
    expect(screen.getByLabelText(`Skill of ${NORA}`)).toHaveDisplayValue('Max skill: Craftsman');
    await user.selectOptions(technician, 'Kim Ito');
    expect(technician).toHaveAccessibleDescription('');
    expect(box(NORA, 'Technician')).toBeChecked();
    expect(screen.getByLabelText(`Skill of ${NORA}`)).toHaveDisplayValue('No skill');
    await user.selectOptions(screen.getByLabelText(`Skill of ${NORA}`), 'Master');
    await user.click(button(`Save changes to ${NORA}`));
    await waitFor(() => expect(updateStaff).toHaveBeenCalledTimes(2));
    expect(vi.mocked(updateStaff).mock.calls).toEqual([
      [NORA, { roles: ['Technician', 'Service_Manager'], technicianId: 5 }],
      [NORA, { skill: 'Master' }],
    ]);
    expect(giveSkill).toHaveBeenCalledWith(5, 11);
    await waitFor(() => expect(row(NORA)).toHaveTextContent('Technician 5'));
  });

  test('takes the technician off an account, and the skill with them', async () => {
    await openList();
    await user.click(button(`Edit ${JOE}`));
    await user.selectOptions(screen.getByLabelText(`Technician of ${JOE}`), 'No technician');
    expect(screen.queryByLabelText(`Skill of ${JOE}`)).not.toBeInTheDocument();
    await user.click(button(`Save changes to ${JOE}`));
    await waitFor(() => expect(row(JOE)).not.toHaveTextContent('Technician 4'));
    expect(vi.mocked(updateStaff).mock.calls).toEqual([
      [JOE, { technicianId: null }],
      [JOE, { skill: null }],
    ]);
    expect(giveSkill).not.toHaveBeenCalled();
  });

  test('has no choice of technicians where the shop has none', async () => {
    vi.mocked(fetchTechnicians).mockResolvedValue([]);
    open();
    await user.click(await screen.findByRole('button', { name: `Edit ${NORA}` }));
    expect(screen.queryByLabelText(`Technician of ${NORA}`)).not.toBeInTheDocument();
  });

  test('that is refused keeps the draft and says why', async () => {
    await openList();
    vi.mocked(updateStaff).mockRejectedValueOnce(refuse('In the words of the server.', 'last-owner'));
    await user.click(button(`Edit ${OWNER}`));
    await user.click(box(OWNER, 'Owner'));
    await user.click(button(`Save changes to ${OWNER}`));
    await banner(
      'Failed to update user: This is the last owner who can sign in: make somebody else an owner first',
    );
    expect(box(OWNER, 'Owner')).not.toBeChecked();
    await user.click(button(`Save changes to ${OWNER}`));
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
  });

  test('fails on a skill that is not known', async () => {
    await openList();
    await user.click(button(`Edit ${JOE}`));
    await user.selectOptions(screen.getByLabelText(`Skill of ${JOE}`), 'Master');
    // It is deleted while it is being chosen.
    act(() => void client.setQueryData(skills.queryKey, []));
    await user.click(button(`Save changes to ${JOE}`));
    await banner('Failed to update skill: Skill not found');
    expect(giveSkill).not.toHaveBeenCalled();
    expect(updateStaff).not.toHaveBeenCalled();
    expect(screen.getByLabelText(`Skill of ${JOE}`)).toHaveValue('Master');
  });

  test('fails when the technician cannot be given the skill', async () => {
    await openList();
    vi.mocked(giveSkill).mockRejectedValueOnce(refuse('There is no such technician'));
    await user.click(button(`Edit ${JOE}`));
    await user.selectOptions(screen.getByLabelText(`Skill of ${JOE}`), 'Master');
    await user.click(button(`Save changes to ${JOE}`));
    await banner('Failed to update skill: Failed to update technician skill in database');
    expect(updateStaff).not.toHaveBeenCalled();
  });

  test('fails when the record does not take the skill', async () => {
    await openList();
    vi.mocked(updateStaff).mockRejectedValueOnce(refuse('There is no such user'));
    await user.click(button(`Edit ${JOE}`));
    await user.selectOptions(screen.getByLabelText(`Skill of ${JOE}`), 'Master');
    await user.click(button(`Save changes to ${JOE}`));
    await banner('Failed to update skill: There is no such user');
  });

  test('of roles and skill saves what it can, and keeps the rest as a draft', async () => {
    await openList();
    vi.mocked(giveSkill).mockRejectedValueOnce(refuse('There is no such skill'));
    await user.click(button(`Edit ${JOE}`));
    await user.click(box(JOE, 'Advisor'));
    await user.selectOptions(screen.getByLabelText(`Skill of ${JOE}`), 'Master');
    await user.click(button(`Save changes to ${JOE}`));
    await banner('Failed to update skill: Failed to update technician skill in database');
    expect(updateStaff).toHaveBeenCalledTimes(1);
    // What was saved here is nobody else's change.
    expect(screen.queryByText(/^Somebody else/)).not.toBeInTheDocument();
    await user.click(button(`Save changes to ${JOE}`));
    await waitFor(() => expect(updateStaff).toHaveBeenLastCalledWith(JOE, { skill: 'Master' }));
  });
});

describe('what somebody else changes under a draft', () => {
  const receiveChange = async (change: Partial<StaffMember>) => {
    people = people.map((one) => (one.id === JOE ? { ...one, ...change } : one));
    act(() => changed());
    await screen.findByText(`Somebody else changed ${JOE} meanwhile:`);
  };
  const begin = async () => {
    await openList();
    await user.click(button(`Edit ${JOE}`));
    await user.click(box(JOE, 'Owner'));
  };

  test('is shown beside the draft, which waits', async () => {
    await begin();
    await receiveChange({ roles: ['Technician', 'Advisor'] });
    expect(screen.getByRole('alert')).toHaveTextContent('Roles: Technician → Technician, Advisor');
    expect(box(JOE, 'Owner')).toBeChecked();
    expect(box(JOE, 'Advisor')).not.toBeChecked();
    expect(button(`Save changes to ${JOE}`)).toHaveAttribute('aria-disabled', 'true');
    await user.click(button(`Save changes to ${JOE}`));
    expect(updateStaff).not.toHaveBeenCalled();
  });

  test('disappears when the user keeps the draft', async () => {
    await begin();
    await receiveChange({ roles: ['Technician', 'Advisor'], skill: 'Master' });
    await user.click(button('Keep mine'));
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(screen.getByLabelText(`Skill of ${JOE}`)).toHaveValue('Master');
    await user.click(button(`Save changes to ${JOE}`));
    await waitFor(() => expect(updateStaff).toHaveBeenCalledWith(JOE, { roles: ['Technician', 'Owner'] }));
  });

  test('can replace the draft', async () => {
    await begin();
    await receiveChange({ roles: ['Technician', 'Advisor'] });
    await user.click(button('Take theirs'));
    expect(box(JOE, 'Owner')).not.toBeChecked();
    expect(box(JOE, 'Advisor')).toBeChecked();
  });

  test('may delete the record: the draft says so and closes', async () => {
    await begin();
    people = people.filter(({ id }) => id !== JOE);
    act(() => changed());
    expect(await screen.findByText(`Somebody else deleted ${JOE} meanwhile.`)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: `Save changes to ${JOE}` })).not.toBeInTheDocument();
    await user.click(button('Leave'));
    expect(screen.queryByText(JOE)).not.toBeInTheDocument();
  });

  test('is not shown where nobody edits', async () => {
    await begin();
    people = people.map((one) => (one.id === NORA ? { ...one, roles: ['Used'] } : one));
    act(() => changed());
    await waitFor(() => expect(row(NORA)).toHaveTextContent('Used'));
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(box(JOE, 'Owner')).toBeChecked();
  });
});

describe('deleting', () => {
  const QUESTION = `Are you sure you want to delete ${NORA}?`;

  test('asks first; Escape and Cancel close the question', async () => {
    await openList();
    for (const leave of [() => user.keyboard('{Escape}'), () => user.click(button('Cancel'))]) {
      await user.click(button(`Delete ${NORA}`));
      expect(screen.getByRole('alertdialog', { name: QUESTION })).toBeInTheDocument();
      await leave();
      await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
      expect(button(`Delete ${NORA}`)).toHaveFocus();
    }
    expect(deleteStaff).not.toHaveBeenCalled();
  });

  test('is not confirmed by a key that was pressed once too often', async () => {
    await openList();
    button(`Delete ${NORA}`).focus();
    await user.keyboard('{Enter}');
    const question = within(screen.getByRole('alertdialog', { name: QUESTION }));
    expect(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    expect(deleteStaff).not.toHaveBeenCalled();
  });

  test('is confirmed by the keyboard alone', async () => {
    vi.mocked(deleteStaff).mockImplementation(async (id) => {
      people = people.filter((one) => one.id !== id);
    });
    await openList();
    await user.click(button(`Delete ${NORA}`));
    await user.keyboard('{Tab}{Enter}');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    expect(deleteStaff).toHaveBeenCalledWith(NORA);
    expect(screen.queryByText(NORA)).not.toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Staff' })).toHaveFocus();
  });

  test('of a user who is already deleted succeeds', async () => {
    await openList();
    people = people.filter(({ id }) => id !== NORA);
    vi.mocked(deleteStaff).mockRejectedValueOnce(refuse('There is no such user', 'unknown-user'));
    await user.click(button(`Delete ${NORA}`));
    await user.keyboard('{Tab}{Enter}');
    await waitFor(() => expect(screen.queryByText(NORA)).not.toBeInTheDocument());
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  test.each<[ErrorCode, string]>([
    ['own-account', 'This is your own account: ask another owner'],
    ['last-owner', 'This is the last owner who can sign in: make somebody else an owner first'],
  ])('that is refused says why (%s)', async (code, sentence) => {
    vi.mocked(deleteStaff).mockRejectedValueOnce(refuse('In the words of the server.', code));
    await openList();
    await user.click(button(`Delete ${OWNER}`));
    await user.click(button('Delete'));
    await banner(`Failed to delete user: ${sentence}`);
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    expect(row(OWNER)).toBeInTheDocument();
  });
});

test.each([
  ['Failed to fetch technicians', fetchTechnicians],
  ['Failed to fetch skills', fetchSkills],
])('%s is shown in a banner, which can be dismissed', async (text, call) => {
  vi.mocked(call).mockRejectedValue(refuse('No.'));
  open();
  await banner(text);
  expect(await screen.findByRole('table')).toBeInTheDocument();
  await user.click(button('Dismiss'));
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test('on a phone everybody has a card, with the same actions', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
    Object.assign(new EventTarget(), {
      media,
      matches: media.includes('max-width'),
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    }),
  );
  open();
  const card = within(await screen.findByRole('article', { name: 'Joe Marsh' }));
  expect(screen.queryByRole('table')).not.toBeInTheDocument();
  await user.click(card.getByRole('button', { name: `Edit ${JOE}` }));
  await user.click(box(JOE, 'Used'));
  await user.selectOptions(card.getByLabelText(`Technician of ${JOE}`), 'Kim Ito');
  await user.click(card.getByRole('button', { name: `Save changes to ${JOE}` }));
  await waitFor(() =>
    expect(updateStaff).toHaveBeenCalledWith(JOE, { roles: ['Technician', 'Used'], technicianId: 5 }),
  );
  await user.click(card.getByRole('button', { name: `Delete ${JOE}` }));
  expect(screen.getByRole('alertdialog')).toBeInTheDocument();
});

describe('another user’s sessions', () => {
  const session = (id: string, browser: string, current = false) => ({
    id,
    browser,
    current,
    address: '192.0.2.7',
    createdAt: '2026-03-01T14:00:00Z',
    lastUsedAt: '2026-03-02T14:00:00Z',
  });

  test('are listed for an owner, who ends one or all', async () => {
    let sessions = [session('s1', 'Firefox on Windows'), session('s2', 'Safari on iPhone')];
    vi.mocked(fetchSessionsOf).mockImplementation(async () => sessions);
    vi.mocked(endSessionOf).mockImplementation(async (_, id) => {
      sessions = sessions.filter((one) => one.id !== id);
    });
    vi.mocked(endSessionsOf).mockImplementation(async () => {
      sessions = [];
    });
    await openList();
    await user.click(button(`Sessions of ${JOE}`));
    const sheet = await screen.findByRole('dialog', { name: 'Sessions of Joe Marsh' });
    await within(sheet).findByText('Safari on iPhone');
    await user.click(
      within(sheet).getByRole('button', { name: 'End the session of Firefox on Windows at 192.0.2.7' }),
    );
    expect(endSessionOf).toHaveBeenCalledWith(JOE, 's1');
    await waitFor(() => expect(within(sheet).queryByText('Firefox on Windows')).not.toBeInTheDocument());
    await user.click(within(sheet).getByRole('button', { name: 'Sign out everywhere' }));
    expect(endSessionsOf).toHaveBeenCalledWith(JOE);
    expect(await within(sheet).findByText('Not signed in anywhere.')).toBeInTheDocument();
  });

  test('that could not be ended stay in the list, with the reason', async () => {
    vi.mocked(fetchSessionsOf).mockResolvedValue([session('s1', 'Firefox on Windows')]);
    vi.mocked(endSessionsOf).mockRejectedValue(refuse('', 'unknown-user'));
    await openList();
    await user.click(button(`Sessions of ${JOE}`));
    await user.click(await screen.findByRole('button', { name: 'Sign out everywhere' }));
    await banner('There is no such user any more');
    expect(screen.getByText('Firefox on Windows')).toBeInTheDocument();
  });

  test('stay listed when they cannot be reloaded, marked as possibly old', async () => {
    const [firefox, safari] = [session('s1', 'Firefox on Windows'), session('s2', 'Safari on iPhone')];
    vi.mocked(fetchSessionsOf)
      .mockResolvedValueOnce([firefox, safari])
      .mockRejectedValueOnce(refuse('The disk is full.'))
      .mockResolvedValueOnce([safari]);
    await openList();
    await user.click(button(`Sessions of ${JOE}`));
    const sheet = within(await screen.findByRole('dialog', { name: 'Sessions of Joe Marsh' }));
    const end = { name: 'End the session of Firefox on Windows at 192.0.2.7' };
    await user.click(await sheet.findByRole('button', end));
    const old = /^Sessions could not be reloaded: The disk is full\. What you see may be out of date\.$/;
    expect(await sheet.findByText(old)).toHaveRole('status');
    expect(sheet.getByText('Firefox on Windows')).toBeInTheDocument();
    await user.click(sheet.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(sheet.queryByText('Firefox on Windows')).not.toBeInTheDocument());
    expect(sheet.getByText('Safari on iPhone')).toBeInTheDocument();
    expect(sheet.queryByText(old)).not.toBeInTheDocument();
  });

  test('are not offered for invited users, and owners cannot end all of their own here', async () => {
    vi.mocked(fetchSessionsOf).mockResolvedValue([session('s1', 'Firefox on Windows', true)]);
    await openList();
    expect(screen.queryByRole('button', { name: `Sessions of ${NORA}` })).not.toBeInTheDocument();
    await user.click(button(`Sessions of ${OWNER}`));
    await screen.findByText('Firefox on Windows');
    expect(screen.queryByRole('button', { name: 'Sign out everywhere' })).not.toBeInTheDocument();
  });
});

test('whoever comes to invite finds the form open with its first field in focus', async () => {
  open({ invite: true });
  await screen.findByRole('table');
  expect(screen.getByRole('button', { name: 'Invite somebody', hidden: true })).toHaveAttribute(
    'aria-expanded',
    'true',
  );
  expect(screen.getByLabelText('Email')).toHaveFocus();
});

test('an invitation without a role is not sent, and the reason is shown', async () => {
  await openList();
  const form = within(screen.getByRole('region', { name: 'Invite somebody' }));
  await user.type(form.getByLabelText('Email'), 'ana@example.com');
  await user.type(form.getByLabelText('Name'), 'Ana Ruiz');
  await user.click(form.getByRole('checkbox', { name: 'Admin' }));
  await user.click(form.getByRole('button', { name: 'Send Invitation' }));
  await banner('Choose at least one role.');
  expect(inviteUser).not.toHaveBeenCalled();
  expect(form.getByRole('checkbox', { name: 'Admin' })).toHaveFocus();
  await user.click(form.getByRole('checkbox', { name: 'Advisor' }));
  expect(screen.queryByText('Choose at least one role.')).not.toBeInTheDocument();
  await user.click(form.getByRole('button', { name: 'Send Invitation' }));
  await waitFor(() => expect(inviteUser).toHaveBeenCalledTimes(1));
});
