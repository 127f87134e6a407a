// User management: invitations, staff records and roles. For owners.
import { useMutation, useQuery } from '@tanstack/react-query';
import { KeyRound, MailWarning } from 'lucide-react';
import { useRef, useState } from 'react';
import { Navigate } from 'react-router';
import type { StaffMember } from '../api/users.ts';
import { usePermission } from '../auth/use-session.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { skills } from '../repair-order/skills.ts';
import { technicians } from '../repair-order/technicians.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { FailureBanner } from '../ui/panel.tsx';
import { IntakeKeysSheet } from './intake-keys-sheet.tsx';
import { InviteForm } from './invite-form.tsx';
import { LoadBanner } from './load-banner.tsx';
import { useMailFolder } from './mail-folder.ts';
import { type StaffFailure, useStaffMutations } from './mutations.ts';
import { People } from './people.tsx';
import { SessionsSheet } from './sessions-sheet.tsx';
import { useLiveStaff } from './staff.ts';

export function UsersScreen() {
  return usePermission('manage-users') ? <Users /> : <Navigate to="/dashboard" replace />;
}

function Users() {
  const { t } = useTranslation();
  usePageTitle(t('users.title'));
  useLiveStaff();
  const technicianList = useQuery(technicians);
  const skillList = useQuery(skills);
  const heading = useRef<HTMLHeadingElement>(null);
  const [failure, say] = useState<StaffFailure | null>(null);
  const [memberToDelete, askToDelete] = useState<StaffMember | null>(null);
  const [signedIn, showSessions] = useState<StaffMember | null>(null);
  const mutations = useStaffMutations(say);
  return (
    <main className="flex min-h-0 flex-1 flex-col">
      {/* Above what scrolls: what failed may be far down the list. */}
      <div className={`${column} gap-2 pt-3 pb-2 empty:hidden`}>
        {failure !== null && (
          <FailureBanner {...failure} dismissLabel={t('users.dismiss')} dismiss={() => say(null)} />
        )}
        <LoadBanner loaded={technicianList} text={t('users.failed.technicians')} />
        <LoadBanner loaded={skillList} text={t('users.failed.skills')} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className={`${column} gap-3 pt-4 pb-8 max-md:pt-3`}>
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2.5">
            <h1 className="text-20 font-semibold max-md:text-16">{t('users.title')}</h1>
            <IntakeKeys />
          </div>
          <NoMailServer />
          <InviteForm invite={mutations.invite} />
          <People
            mutations={mutations}
            heading={heading}
            askToDelete={askToDelete}
            showSessions={showSessions}
          />
        </div>
      </div>
      {signedIn !== null && <SessionsSheet member={signedIn} close={() => showSessions(null)} />}
      {memberToDelete !== null && (
        <DeleteQuestion
          member={memberToDelete}
          remove={mutations.remove}
          close={() => askToDelete(null)}
          fallback={() => heading.current}
        />
      )}
    </main>
  );
}

/** Programs have keys where people have accounts. */
function IntakeKeys() {
  const { t } = useTranslation();
  const [shown, show] = useState(false);
  if (!usePermission('manage-intake-keys')) return null;
  return (
    <>
      <Button onClick={() => show(true)}>
        <KeyRound aria-hidden className="size-4" />
        {t('users.keys.open')}
      </Button>
      {shown && <IntakeKeysSheet close={() => show(false)} />}
    </>
  );
}

/** Whoever invites learns that the invitation reaches nobody by itself. */
function NoMailServer() {
  const { t } = useTranslation();
  const folder = useMailFolder();
  if (folder === null) return null;
  return (
    <p className="flex items-start gap-2 text-13 text-quiet">
      <MailWarning aria-hidden className="mt-0.5 size-4 shrink-0 text-stale" />
      <span className="min-w-0 wrap-anywhere">{t('users.noMailServer', { folder })}</span>
    </p>
  );
}

const column = 'mx-auto flex w-full max-w-[1240px] flex-col px-4 max-md:px-3';

interface DeleteQuestionProps {
  member: StaffMember;
  remove(member: StaffMember): Promise<boolean>;
  close(): void;
  fallback(): HTMLElement | null;
}

function DeleteQuestion({ member, remove, close, fallback }: DeleteQuestionProps) {
  const { t } = useTranslation();
  const { isPending, mutate } = useMutation({ mutationFn: remove, onSettled: close });
  return (
    <ConfirmDialog
      title={t('users.delete.title', { email: member.email })}
      detail={t('users.delete.detail')}
      verb={isPending ? t('users.delete.doing') : t('users.delete.verb')}
      cancelLabel={t('users.delete.cancel')}
      busy={isPending}
      confirm={() => mutate(member)}
      close={close}
      fallback={fallback}
    />
  );
}
