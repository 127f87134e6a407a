// Invites a user: email, name, roles, and the technician they are, if any. A technician who has an account already
// gets another one only after a question.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronDown, MailCheck, MailWarning } from 'lucide-react';
import { type FormEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { Invitation, StaffMember } from '../api/users.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useNewest } from '../ui/latest.ts';
import { isTouchPointer } from '../ui/pointer-type.ts';
import { emptyDraft, type InvitationDraft, linkedAccounts, toInvitation } from './invitation-draft.ts';
import { InviteFields } from './invite-fields.tsx';
import { useMailFolder } from './mail-folder.ts';
import { RolesField } from './roles-field.tsx';
import { staff } from './staff.ts';

/** `invite` answers whether it succeeded. */
export function InviteForm({ invite }: { invite: (invitation: Invitation) => Promise<boolean> }) {
  const { t } = useTranslation();
  const first = useRef<HTMLInputElement>(null);
  const rolesField = useRef<HTMLDivElement>(null);
  const [draft, setDraft] = useState(emptyDraft);
  const latest = useNewest(draft);
  const [roleless, setRoleless] = useState(false);
  const isWanted = useLocation().state?.invite === true;
  const { data: members = [] } = useQuery(staff);
  const { submit, isPending, invitedEmail, failure, question } = useInvitation(invite, (sent) => {
    // What was typed since it was sent is the next one.
    if (sent !== latest.current) return;
    setDraft(emptyDraft);
    // On a phone the keyboard would cover the result.
    if (!isTouchPointer()) first.current?.focus();
  });
  const submitForm = (event: FormEvent) => {
    event.preventDefault();
    setRoleless(draft.roles.length === 0);
    if (draft.roles.length === 0) rolesField.current?.querySelector('input')?.focus();
    else submit(draft);
  };
  return (
    <FoldedSection title={t('users.invite')} isWanted={isWanted} submit={submitForm}>
      <InviteFields draft={draft} change={setDraft} linked={linkedAccounts(draft, members)} first={first} />
      <div className="col-span-full flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <InvitedRoles draft={draft} change={setDraft} isMissing={roleless} field={rolesField} />
        <div className="flex grow items-center justify-end gap-4 has-[p:not(:empty)]:basis-96 max-md:w-full max-md:flex-col-reverse max-md:items-stretch max-md:gap-2 max-md:has-[p:not(:empty)]:basis-auto">
          <InvitationSent email={invitedEmail} />
          <Button type="submit" variant="primary" disabled={isPending} className="shrink-0 max-md:h-11">
            {isPending ? t('users.submitting') : t('users.submit')}
          </Button>
        </div>
      </div>
      {failure !== null && <NotChecked {...failure} />}
      {question !== null && <LinkedQuestion {...question} />}
    </FoldedSection>
  );
}

/** A draft whose technician has other accounts. */
interface LinkedDraft {
  draft: InvitationDraft;
  linked: readonly StaffMember[];
}

/**
 * Sends drafts, one whose technician has an account already only after a question: it waits for the staff list, and
 * without one it is not sent. `sent`: an invitation is on its way.
 */
function useInvitation(
  invite: (invitation: Invitation) => Promise<boolean>,
  sent: (draft: InvitationDraft) => void,
) {
  const client = useQueryClient();
  const [asked, ask] = useState<LinkedDraft | null>(null);
  const sending = useMutation({
    mutationFn: (draft: InvitationDraft) => invite(toInvitation(draft)),
    onSuccess: (done, draft) => {
      if (done) sent(draft);
    },
  });
  const send = (draft: InvitationDraft) => {
    ask(null);
    if (!sending.isPending) sending.mutate(draft);
  };
  const check = useMutation({
    mutationFn: async (draft: InvitationDraft) =>
      draft.technician === null ? [] : linkedAccounts(draft, await client.ensureQueryData(staff)),
    onSuccess: (linked, draft) => {
      if (linked.length > 0) ask({ draft, linked });
      else send(draft);
    },
  });
  const isPending = check.isPending || sending.isPending;
  return {
    submit: (draft: InvitationDraft) => {
      if (!isPending) check.mutate(draft);
    },
    isPending,
    invitedEmail: sending.data === true ? toInvitation(sending.variables).email : null,
    failure: check.isError ? { draft: check.variables, reason: check.error } : null,
    question: asked && { ...asked, confirm: () => send(asked.draft), close: () => ask(null) },
  };
}

interface LinkedQuestionProps extends LinkedDraft {
  confirm(): void;
  close(): void;
}

function LinkedQuestion({ draft, linked, confirm, close }: LinkedQuestionProps) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      title={t('users.linked.title', { technician: draft.technician?.displayName ?? '' })}
      detail={t('users.linked.detail', {
        accounts: linked.map(({ email }) => email).join(', '),
        email: draft.email.trim(),
      })}
      verb={t('users.linked.verb')}
      cancelLabel={t('users.delete.cancel')}
      variant="primary"
      confirm={confirm}
      close={close}
    />
  );
}

/** The staff list could not be had; sending the form tries again. */
function NotChecked({ draft, reason }: { draft: InvitationDraft; reason: Error }) {
  const { t } = useTranslation();
  const technician = draft.technician?.displayName ?? '';
  return (
    <div className="col-span-full flex flex-wrap items-center gap-3 rounded-md bg-danger-tint px-3 py-2 text-13 text-danger">
      <p role="alert" className="min-w-0 flex-1">
        {t('users.linked.notChecked', { technician, reason: errorMessage(reason, t) })}
      </p>
      <Button type="submit">{t('users.retry')}</Button>
    </div>
  );
}

interface FoldedSectionProps {
  title: string;
  /** Somebody came here for it: it opens, and its first field has the focus. */
  isWanted: boolean;
  submit(event: FormEvent): void;
  children: ReactNode;
}

/** On a phone the list comes first: the form opens when it is wanted. */
function FoldedSection({ title, isWanted, submit, children }: FoldedSectionProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!isWanted) return;
    setOpen(true);
    form.current?.querySelector('input')?.focus();
  }, [isWanted]);
  return (
    <section aria-labelledby={`${id}title`} className="rounded-lg border border-line bg-raised">
      <h2 className="text-14 font-semibold">
        <span id={`${id}title`} className="block px-4 pt-3 max-md:hidden">
          {title}
        </span>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="flex min-h-11 w-full items-center justify-between rounded-lg px-4 md:hidden"
        >
          {title}
          <ChevronDown
            aria-hidden
            className={`size-4 text-quiet transition-transform duration-150 ${open ? 'rotate-180' : ''}`}
          />
        </button>
      </h2>
      <form
        id={id}
        ref={form}
        onSubmit={submit}
        className={`grid grid-cols-4 gap-x-4 gap-y-3 px-4 pt-2.5 pb-3.5 max-lg:grid-cols-2 max-md:grid-cols-1 ${open ? '' : 'max-md:hidden'}`}
      >
        {children}
      </form>
    </section>
  );
}

interface InvitedRolesProps {
  draft: InvitationDraft;
  change(draft: InvitationDraft): void;
  /** Whether it was to be sent without a role. */
  isMissing: boolean;
  field: RefObject<HTMLDivElement | null>;
}

function InvitedRoles({ draft, change, isMissing, field }: InvitedRolesProps) {
  const { t } = useTranslation();
  return (
    <div ref={field} className="flex min-w-0 flex-col gap-1">
      <RolesField
        legend={t('users.roles')}
        hasLegendShown
        roles={draft.roles}
        choose={(roles) => change({ ...draft, roles })}
      />
      {isMissing && draft.roles.length === 0 && (
        <p role="alert" className="text-13 text-danger">
          {t('users.chooseRole')}
        </p>
      )}
    </div>
  );
}

function InvitationSent({ email }: { email: string | null }) {
  const { t } = useTranslation();
  const folder = useMailFolder();
  return (
    <p role="status" className="flex min-w-0 items-center gap-1.5 text-13 text-quiet empty:hidden">
      {email !== null && folder === null && (
        <>
          <MailCheck aria-hidden className="size-4 shrink-0" />
          <span className="min-w-0 break-words">{t('users.invited', { email })}</span>
        </>
      )}
      {email !== null && folder !== null && (
        <>
          <MailWarning aria-hidden className="size-4 shrink-0 text-stale" />
          <span className="min-w-0 wrap-anywhere">{t('users.invitedToFile', { email, folder })}</span>
        </>
      )}
    </p>
  );
}
