// The staff on a phone: a card each, the facts in the table's order, targets a thumb can hit.
import type { ComponentProps } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { DraftedTechnician } from './drafted-technician.tsx';
import { hasMailTrouble, MailTrouble } from './invitation-mail.tsx';
import { type Editing, type PeopleProps, type PersonProps, useEditing } from './person-editing.tsx';
import {
  DraftedRoles,
  DraftedSkill,
  PersonName,
  Roles,
  StatusSign,
  skillNameOf,
  technicianOf,
} from './person-fields.tsx';

export function PeopleCards(props: PeopleProps) {
  return (
    <ul className="flex flex-col gap-2">
      {props.people.map((person) => (
        <li key={person.member.id}>
          <PersonCard person={person} {...props} />
        </li>
      ))}
    </ul>
  );
}

function PersonCard({ person, technicians, skills, actions }: PersonProps) {
  const { t } = useTranslation();
  const { member, draft, busy } = person;
  const edit = useEditing(person, actions);
  const technician = technicianOf(member, technicians);
  const skill = skillNameOf(member, technician);
  return (
    <article
      aria-label={member.name || member.email}
      aria-busy={busy}
      onKeyDown={edit.onKeyDown}
      className={`flex flex-col gap-2.5 rounded-lg border bg-raised p-3 ${draft === null ? 'border-line' : 'border-accent'}`}
    >
      <div className="flex items-start justify-between gap-3">
        <PersonName member={member} technician={technician} />
        <span className="shrink-0 text-right">
          <StatusSign member={member} />
        </span>
      </div>
      {draft === null ? (
        <>
          <Roles member={member} />
          {skill !== '' && (
            <p className="text-13">
              <span className="text-quiet">{t('users.column.skill')}:</span> {skill}
            </p>
          )}
        </>
      ) : (
        <form id={edit.form} onSubmit={edit.submit} className="flex flex-col gap-2">
          <DraftedRoles draft={draft} change={edit.change} />
          <DraftedTechnician draft={draft} change={edit.change} technicians={technicians} />
          {draft.technicianId !== null && (
            <DraftedSkill draft={draft} change={edit.change} skills={skills} technicians={technicians} />
          )}
        </form>
      )}
      {member.invitationMail !== null && hasMailTrouble(member) && (
        <MailTrouble mail={member.invitationMail} />
      )}
      {edit.note}
      <CardActions person={person} edit={edit} actions={actions} />
    </article>
  );
}

type CardActionsProps = Pick<PersonProps, 'person' | 'actions'> & { edit: Editing };

function CardActions(props: CardActionsProps) {
  return (
    <div className="-mx-3 -mb-3 flex border-t border-line [&>*]:flex-1 [&>*+*]:border-l [&>*+*]:border-line">
      {/* Each button is its own: one that turned into another would be pressed as that, too. */}
      {props.person.draft === null ? <RecordActions {...props} /> : <DraftActions {...props} />}
    </div>
  );
}

function RecordActions({ person: { member, busy }, edit, actions }: CardActionsProps) {
  const { t } = useTranslation();
  return (
    <>
      {member.invited && (
        <CardButton
          key="again"
          label={t('users.action.sendAgainOf', { email: member.email })}
          disabled={busy}
          onClick={() => actions.inviteAgain(member)}
        >
          {t('users.action.sendAgain')}
        </CardButton>
      )}
      {!member.invited && (
        <CardButton
          key="sessions"
          label={t('users.action.sessionsOf', { email: member.email })}
          onClick={() => actions.showSessions(member)}
        >
          {t('users.action.sessions')}
        </CardButton>
      )}
      <CardButton
        key="edit"
        ref={edit.opener}
        label={t('users.action.editOf', { email: member.email })}
        onClick={edit.begin}
      >
        {t('users.action.edit')}
      </CardButton>
      <CardButton
        key="delete"
        label={t('users.action.deleteOf', { email: member.email })}
        onClick={() => actions.askToDelete(member)}
      >
        {t('users.action.delete')}
      </CardButton>
    </>
  );
}

function DraftActions({ person: { member, isDeleted }, edit }: CardActionsProps) {
  const { t } = useTranslation();
  return (
    <>
      <CardButton
        key="cancel"
        label={t('users.action.cancelOf', { email: member.email })}
        onClick={edit.stopEditing}
      >
        {t('users.action.cancel')}
      </CardButton>
      {!isDeleted && (
        <CardButton
          key="save"
          type="submit"
          form={edit.form}
          label={t('users.action.saveOf', { email: member.email })}
          aria-disabled={!edit.canSave}
        >
          {t('users.action.save')}
        </CardButton>
      )}
    </>
  );
}

/** One of the buttons that share a card's foot. */
function CardButton({ label, type = 'button', ...rest }: ComponentProps<'button'> & { label: string }) {
  return (
    <button
      type={type}
      aria-label={label}
      className="min-h-11 px-2 -outline-offset-2 text-13 font-medium first:rounded-bl-lg last:rounded-br-lg hover:bg-sunken disabled:opacity-50 aria-disabled:opacity-50"
      {...rest}
    />
  );
}
