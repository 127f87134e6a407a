// User management: invitations, staff records and roles. For owners.
import { useQuery } from '@tanstack/react-query';
import { Search, X } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { Navigate } from 'react-router';
import type { StaffMember } from '../api/users.ts';
import { usePermission } from '../auth/use-session.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { technicians } from '../repair-order/technician-choice.tsx';
import { useNarrow } from '../ui/media.ts';
import { usePageTitle } from '../ui/page-title.ts';
import { showToast } from '../ui/toaster.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { InviteForm } from './invite-form.tsx';
import { EmptyList, FailedList, LoadBanner, LoadingList, RedBanner, StaleList } from './load-states.tsx';
import { useStaffMutations } from './mutations.ts';
import { PeopleCards } from './person-card.tsx';
import type { PeopleProps, Person } from './person-editing.tsx';
import { PeopleTable } from './person-row.tsx';
import { SessionsSheet } from './sessions-sheet.tsx';
import { byName, matchesSearch, skills, staff, useLiveStaff } from './staff.ts';
import type { Draft } from './staff-draft.ts';

export function UsersScreen() {
  return usePermission('manage-users') ? <Users /> : <Navigate to="/dashboard" replace />;
}

/** With fewer users a filter is not needed. */
const MIN_USERS_FOR_FILTER = 11;

function Users() {
  const { t, language } = useTranslation();
  usePageTitle(t('users.title'));
  const narrow = useNarrow();
  useLiveStaff();
  const { data: list, error, refetch } = useQuery(staff);
  const technicianList = useQuery(technicians);
  const skillList = useQuery(skills);
  const heading = useRef<HTMLHeadingElement>(null);
  const [failure, say] = useState<string | null>(null);
  const [filter, setFilter] = useState('');
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [memberToDelete, ask] = useState<StaffMember | null>(null);
  const [signedIn, showSessions] = useState<StaffMember | null>(null);
  const { save, remove, invite, inviteAgain } = useStaffMutations(say);

  const people = useMemo(() => peopleOf(list ?? [], drafts, busy, language), [list, drafts, busy, language]);
  const isLong = people.length >= MIN_USERS_FOR_FILTER;
  const typed = isLong ? filter.trim() : '';
  const shown = people.filter(
    ({ member, draft }) =>
      draft !== null ||
      matchesSearch([member.name, member.email, ...member.roles.map((role) => t(`role.${role}`))], typed),
  );
  const byId = useMemo(
    () => new Map((technicianList.data ?? []).map((one) => [one.idTechnician, one])),
    [technicianList.data],
  );

  const draft = (id: string, next: Draft | null) => setDrafts((all) => withEntry(all, id, next));
  const whileBusy = async (id: string, work: () => Promise<void>) => {
    setBusy((all) => new Set([...all, id]));
    await work();
    setBusy((all) => new Set([...all].filter((one) => one !== id)));
  };
  const props: PeopleProps = {
    people: shown,
    technicians: byId,
    skills: skillList.data ?? [],
    actions: {
      draft,
      save: (one) =>
        void whileBusy(one.base.id, async () => {
          draft(one.base.id, await save(one));
        }),
      inviteAgain: (member) =>
        void whileBusy(member.id, async () => {
          const { email } = member;
          if (await inviteAgain(member)) showToast({ text: t('users.invitedAgain', { email }) });
        }),
      askToDelete: ask,
      showSessions,
    },
  };
  const loadAgain = () => void refetch();
  const reason = error === null ? null : errorMessage(error, t);
  const pending = people.filter(({ member }) => member.invited).length;

  return (
    <main className="flex min-h-0 flex-1 flex-col">
      {/* Above what scrolls: what failed may be far down the list. */}
      <div className={`${column} gap-2 pt-3 pb-2 empty:hidden`}>
        {failure !== null && <RedBanner text={failure} dismiss={() => say(null)} />}
        <LoadBanner loaded={technicianList} text={t('users.failed.technicians')} />
        <LoadBanner loaded={skillList} text={t('users.failed.skills')} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className={`${column} gap-3 pt-4 pb-8 max-md:pt-3`}>
          <h1 className="text-20 font-semibold max-md:text-16">{t('users.title')}</h1>
          <InviteForm invite={invite} />
          <div className="mt-2 flex min-h-9 items-center justify-between gap-3 max-md:flex-wrap">
            <div className="flex items-baseline gap-2.5">
              <h2 ref={heading} tabIndex={-1} className="text-14 font-semibold outline-none">
                {t('users.people')}
              </h2>
              {list !== undefined && (
                <p className="text-13 text-quiet">
                  {t('users.count', { count: people.length })}
                  {pending > 0 && ` · ${t('users.pending', { count: pending })}`}
                </p>
              )}
            </div>
            {isLong && <FilterBox typed={filter} type={setFilter} />}
          </div>
          {list !== undefined && reason !== null && <StaleList reason={reason} retry={loadAgain} />}
          {list === undefined && reason !== null ? (
            <FailedList reason={reason} retry={loadAgain} />
          ) : list === undefined ? (
            <LoadingList />
          ) : shown.length === 0 ? (
            <EmptyList filter={typed} clear={() => setFilter('')} />
          ) : narrow ? (
            <PeopleCards {...props} />
          ) : (
            <PeopleTable {...props} />
          )}
        </div>
      </div>
      {signedIn !== null && <SessionsSheet member={signedIn} close={() => showSessions(null)} />}
      {memberToDelete !== null && (
        <DeleteDialog
          member={memberToDelete}
          remove={remove}
          close={() => ask(null)}
          fallback={() => heading.current}
        />
      )}
    </main>
  );
}

const column = 'mx-auto flex w-full max-w-[1240px] flex-col px-4 max-md:px-3';

/** All users by name, including a record that is being edited although somebody else has deleted it. */
function peopleOf(
  list: readonly StaffMember[],
  drafts: ReadonlyMap<string, Draft>,
  busy: ReadonlySet<string>,
  language: string,
): Person[] {
  const here = new Set(list.map(({ id }) => id));
  const deletedMembers = [...drafts.values()].map(({ base }) => base).filter(({ id }) => !here.has(id));
  return byName([...list, ...deletedMembers], language).map((member) => ({
    member,
    draft: drafts.get(member.id) ?? null,
    isDeleted: !here.has(member.id),
    busy: busy.has(member.id),
  }));
}

function withEntry<V>(all: ReadonlyMap<string, V>, key: string, value: V | null): ReadonlyMap<string, V> {
  const next = new Map(all);
  if (value === null) next.delete(key);
  else next.set(key, value);
  return next;
}

function FilterBox({ typed, type }: { typed: string; type: (text: string) => void }) {
  const { t } = useTranslation();
  return (
    <search className="relative w-64 max-md:w-full">
      <Search
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-quiet"
      />
      <input
        type="text"
        inputMode="search"
        value={typed}
        onChange={(event) => type(event.target.value)}
        placeholder={t('users.filter')}
        aria-label={t('users.filter')}
        className="h-9 w-full rounded-md border border-line-strong bg-raised pr-9 pl-8.5 text-14 placeholder:text-quiet max-md:h-11 pointer-coarse:h-11"
      />
      {typed !== '' && (
        <button
          type="button"
          aria-label={t('users.clearFilter')}
          onClick={() => type('')}
          className="absolute inset-y-0 right-0 grid w-9 place-items-center rounded-md text-quiet hover:text-ink max-md:w-11"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </search>
  );
}
