// The staff as a table: a row each, changed in place.
import { MailPlus, MonitorSmartphone, Pencil, Save, Trash2, X } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import { IconButton } from '../ui/button.tsx';
import { hasMailTrouble, MailTrouble } from './invitation-mail.tsx';
import { type Editing, type PeopleProps, type PersonProps, useEditing } from './person-editing.tsx';
import { DraftedRoles, DraftedSkill, PersonName, Roles, SkillOf, StatusSign } from './person-fields.tsx';

export function PeopleTable(props: PeopleProps) {
  const { t } = useTranslation();
  return (
    <table className="w-full table-fixed border-separate border-spacing-0 rounded-lg border border-line bg-raised">
      <thead>
        <tr>
          <th scope="col" className={`${head} rounded-tl-lg pl-4`}>
            {t('users.column.person')}
          </th>
          <th scope="col" className={`${head} w-[30%]`}>
            {t('users.column.roles')}
          </th>
          <th scope="col" className={`${head} w-[16%]`}>
            {t('users.column.skill')}
          </th>
          <th scope="col" className={`${head} w-44`}>
            {t('users.column.status')}
          </th>
          <th scope="col" className={`${head} w-32 rounded-tr-lg pr-4 text-right`}>
            {t('users.column.actions')}
          </th>
        </tr>
      </thead>
      <tbody>
        {props.people.map((person) => (
          <PersonRow key={person.member.id} person={person} {...props} />
        ))}
      </tbody>
    </table>
  );
}

const head =
  'sticky top-0 z-10 h-9 border-b border-line bg-raised px-2 text-left text-12 font-medium text-quiet';

function PersonRow({ person, technicians, skills, actions }: PersonProps) {
  const { member, draft } = person;
  const edit = useEditing(person, actions);
  const technician = technicians.get(member.technicianId ?? Number.NaN);
  const trouble = hasMailTrouble(member) ? member.invitationMail : null;
  const isNoted = edit.note !== null || trouble !== null;
  const cell = `border-line px-2 py-1 align-middle ${isNoted ? '' : 'border-b group-last:border-b-0'}`;
  return (
    <>
      <tr
        aria-busy={person.busy}
        onKeyDown={edit.onKeyDown}
        className={`group ${draft === null ? 'hover:bg-sunken/60' : 'bg-accent-tint/60'}`}
      >
        <td className={`${cell} pl-4`}>
          <PersonName member={member} technician={technician} />
        </td>
        <td className={cell}>
          {draft === null ? (
            <Roles member={member} />
          ) : (
            <form id={edit.form} onSubmit={edit.submit}>
              <DraftedRoles draft={draft} change={edit.change} />
            </form>
          )}
        </td>
        <td className={cell}>
          {draft === null ? (
            <SkillOf member={member} />
          ) : (
            <DraftedSkill draft={draft} change={edit.change} skills={skills} />
          )}
        </td>
        <td className={cell}>
          <StatusSign member={member} />
        </td>
        <td className={`${cell} pr-3`}>
          <div className="flex justify-end">
            <RowActions person={person} edit={edit} actions={actions} />
          </div>
        </td>
      </tr>
      {isNoted && (
        <tr className={`group ${draft === null ? '' : 'bg-accent-tint/60'}`}>
          <td colSpan={5} className="border-b border-line px-4 pb-3 group-last:border-b-0">
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
