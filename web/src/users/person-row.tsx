// The staff as a table: a row each, changed in place.
import { type Column, createColumnHelper, useTable } from '@tanstack/react-table';
import type { TFunction } from 'i18next';
import { MailPlus, MonitorSmartphone, Pencil, Save, Trash2, X } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { Skill } from '../api/users.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { IconButton } from '../ui/button.tsx';
import { features, textOrder, useSortParam } from '../ui/sortable-table.ts';
import { TableHead } from '../ui/table-head.tsx';
import { DraftedTechnician } from './drafted-technician.tsx';
import { hasMailTrouble, MailTrouble } from './invitation-mail.tsx';
import {
  type Editing,
  type PeopleProps,
  type Person,
  type PersonProps,
  useEditing,
} from './person-editing.tsx';
import {
  DraftedRoles,
  DraftedSkill,
  PersonName,
  Roles,
  SkillOf,
  StatusSign,
  skillNameOf,
  technicianOf,
} from './person-fields.tsx';
import { rolesRank } from './staff.ts';

const columnIds = ['person', 'roles', 'skill', 'status', 'actions'] as const;

export function PeopleTable(props: PeopleProps) {
  const { people, skills, technicians } = props;
  const { t, language } = useTranslation();
  const [sorting, onSortingChange] = useSortParam(columnIds);
  const columns = useMemo(
    () => peopleColumns(t, language, skills, technicians),
    [t, language, skills, technicians],
  );
  const hasSkills = people.some(
    ({ member, draft }) =>
      member.technicianId !== null ||
      member.skill !== null ||
      (draft !== null && draft.technicianId !== null),
  );
  const table = useTable({
    features,
    columns,
    data: people,
    getRowId: ({ member }) => member.id,
    enableMultiSort: false,
    sortDescFirst: false,
    state: useMemo(() => ({ sorting, columnVisibility: { skill: hasSkills } }), [sorting, hasSkills]),
    onSortingChange,
  });
  return (
    <table
      aria-label={t('users.people')}
      className="w-full table-fixed border-separate border-spacing-0 rounded-lg border border-line bg-raised"
    >
      <TableHead table={table} />
      <tbody>
        {table.getRowModel().rows.map((row) => (
          <PersonRow key={row.id} {...props} person={row.original} columns={table.getVisibleLeafColumns()} />
        ))}
      </tbody>
    </table>
  );
}

const column = createColumnHelper<typeof features, Person>();

/** What is empty comes last in both directions. */
function peopleColumns(
  t: TFunction,
  language: string,
  skills: readonly Skill[],
  technicians: PeopleProps['technicians'],
) {
  const levels = new Map(skills.map(({ skillName, skillLevel }) => [skillName, skillLevel]));
  const byText = { sortFn: textOrder(language), sortUndefined: 'last' } as const;
  return column.columns([
    column.accessor(({ member }) => member.name || member.email, {
      ...byText,
      id: 'person',
      header: t('users.column.person'),
      meta: { head: 'pl-4', cell: 'pl-4' },
    }),
    column.accessor(({ member }) => rolesRank(member.roles) ?? undefined, {
      ...byText,
      id: 'roles',
      header: t('users.column.roles'),
      meta: { head: 'w-[25%]' },
    }),
    column.accessor(({ member }) => levels.get(skillNameOf(member, technicianOf(member, technicians))), {
      sortFn: 'number',
      sortUndefined: 'last',
      id: 'skill',
      header: t('users.column.skill'),
      meta: { head: 'w-[16%]' },
    }),
    // Those who have not come yet first, and among them those who have been waited for longest.
    column.accessor(({ member }) => (member.invited ? (member.invitedAt ?? '') : 'active'), {
      ...byText,
      id: 'status',
      header: t('users.column.status'),
      meta: { head: 'w-44' },
    }),
    column.display({
      id: 'actions',
      header: t('users.column.actions'),
      meta: { head: 'w-32 pr-4 text-right', cell: 'pr-3' },
    }),
  ]);
}

type PersonRowProps = PersonProps & { columns: readonly Column<typeof features, Person>[] };

function PersonRow({ person, technicians, skills, actions, columns }: PersonRowProps) {
  const { member, draft } = person;
  const edit = useEditing(person, actions);
  const technician = technicianOf(member, technicians);
  const trouble = hasMailTrouble(member) ? member.invitationMail : null;
  const isNoted = edit.note !== null || trouble !== null;
  const cells: Record<string, ReactNode> = {
    person: (
      <div className="flex flex-col gap-1">
        <PersonName member={member} technician={technician} />
        {draft !== null && <DraftedTechnician draft={draft} change={edit.change} technicians={technicians} />}
      </div>
    ),
    roles:
      draft === null ? (
        <Roles member={member} />
      ) : (
        <form id={edit.form} onSubmit={edit.submit}>
          <DraftedRoles draft={draft} change={edit.change} />
        </form>
      ),
    skill:
      draft === null ? (
        <SkillOf skill={skillNameOf(member, technician)} />
      ) : (
        <DraftedSkill draft={draft} change={edit.change} skills={skills} technicians={technicians} />
      ),
    status: <StatusSign member={member} />,
    actions: (
      <div className="flex justify-end">
        <RowActions person={person} edit={edit} actions={actions} />
      </div>
    ),
  };
  return (
    <>
      <tr
        aria-busy={person.busy}
        onKeyDown={edit.onKeyDown}
        className={draft === null ? 'hover:bg-sunken/60' : 'bg-accent-tint/60'}
      >
        {columns.map(({ id, columnDef }) => (
          <td
            key={id}
            className={`border-line px-2 py-1 align-middle ${isNoted ? '' : 'border-b [tr:last-child>&]:border-b-0'} ${columnDef.meta?.cell ?? ''}`}
          >
            {cells[id]}
          </td>
        ))}
      </tr>
      {isNoted && (
        <tr className={draft === null ? '' : 'bg-accent-tint/60'}>
          <td
            colSpan={columns.length}
            className="border-b border-line px-4 pb-3 [tr:last-child>&]:border-b-0"
          >
            {trouble !== null && <MailTrouble mail={trouble} />}
            {edit.note}
          </td>
        </tr>
      )}
    </>
  );
}

type RowActionsProps = Pick<PersonProps, 'person' | 'actions'> & { edit: Editing };

function RowActions(props: RowActionsProps) {
  return props.person.draft === null ? <RecordActions {...props} /> : <DraftActions {...props} />;
}

function DraftActions({ person: { member, isDeleted }, edit }: RowActionsProps) {
  const { t } = useTranslation();
  const { email } = member;
  return (
    <>
      {!isDeleted && (
        <IconButton
          key="save"
          title={t('users.action.save')}
          type="submit"
          form={edit.form}
          label={t('users.action.saveOf', { email })}
          // Not disabled: the focus stays on it.
          aria-disabled={!edit.canSave}
          className="aria-disabled:opacity-40"
        >
          <Save aria-hidden className="size-4 text-accent" />
        </IconButton>
      )}
      <IconButton
        key="cancel"
        title={t('users.action.cancel')}
        label={t('users.action.cancelOf', { email })}
        onClick={edit.stopEditing}
      >
        <X aria-hidden className="size-4" />
      </IconButton>
    </>
  );
}

function RecordActions({ person: { member, busy }, edit, actions }: RowActionsProps) {
  const { t } = useTranslation();
  const { email } = member;
  return (
    <>
      {member.invited && (
        <IconButton
          key="sendAgain"
          title={t('users.action.sendAgain')}
          label={t('users.action.sendAgainOf', { email })}
          disabled={busy}
          onClick={() => actions.inviteAgain(member)}
          className="disabled:opacity-40"
        >
          <MailPlus aria-hidden className="size-4" />
        </IconButton>
      )}
      {!member.invited && (
        <IconButton
          key="sessions"
          title={t('users.action.sessions')}
          label={t('users.action.sessionsOf', { email })}
          onClick={() => actions.showSessions(member)}
        >
          <MonitorSmartphone aria-hidden className="size-4" />
        </IconButton>
      )}
      <IconButton
        key="edit"
        title={t('users.action.edit')}
        ref={edit.opener}
        label={t('users.action.editOf', { email })}
        onClick={edit.begin}
      >
        <Pencil aria-hidden className="size-4" />
      </IconButton>
      <IconButton
        key="delete"
        title={t('users.action.delete')}
        label={t('users.action.deleteOf', { email })}
        onClick={() => actions.askToDelete(member)}
        className="hover:text-danger"
      >
        <Trash2 aria-hidden className="size-4" />
      </IconButton>
    </>
  );
}
