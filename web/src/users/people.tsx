// The users: the list with its heading and filter, and what is done to each.
import { useMutation, useMutationState, useQuery } from '@tanstack/react-query';
import { SearchX, UsersRound } from 'lucide-react';
import { type RefObject, useMemo, useState } from 'react';
import type { Skill, StaffMember } from '../api/users.ts';
import { failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { skills } from '../repair-order/skills.ts';
import { technicians } from '../repair-order/technicians.ts';
import { Button } from '../ui/button.tsx';
import { LoadingRows, LoadState } from '../ui/load-state.tsx';
import { useNarrow } from '../ui/media.ts';
import { MessagePanel } from '../ui/panel.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { showToast } from '../ui/toaster.ts';
import { useMailFolder } from './mail-folder.ts';
import type { StaffMutations } from './mutations.ts';
import { PeopleCards } from './person-card.tsx';
import type { PeopleProps, Person } from './person-editing.tsx';
import { PeopleTable } from './person-row.tsx';
import { byName, matchesSearch, staff } from './staff.ts';
import type { Draft } from './staff-draft.ts';

/** With fewer users a filter is not needed. */
const MIN_USERS_FOR_FILTER = 11;

interface PeopleSectionProps {
  mutations: StaffMutations;
  heading: RefObject<HTMLHeadingElement | null>;
  askToDelete(member: StaffMember): void;
  showSessions(member: StaffMember): void;
}

/** The list of users under its heading. */
export function People({ mutations, heading, askToDelete, showSessions }: PeopleSectionProps) {
  const { t } = useTranslation();
  const list = useQuery(staff);
  const { people, actions } = useEditedPeople(list.data ?? [], mutations);
  const [filter, setFilter] = useState('');
  const isLong = people.length >= MIN_USERS_FOR_FILTER;
  const typed = isLong ? filter.trim() : '';
  const shown = people.filter(
    ({ member, draft }) =>
      draft !== null ||
      matchesSearch([member.name, member.email, ...member.roles.map((role) => t(`role.${role}`))], typed),
  );
  const pending = people.filter(({ member }) => member.invited).length;
  return (
    <>
      <div className="mt-2 flex min-h-9 items-center justify-between gap-3 max-md:flex-wrap">
        <div className="flex items-baseline gap-2.5">
          <h2 ref={heading} tabIndex={-1} className="text-14 font-semibold outline-none">
            {t('users.people')}
          </h2>
          {list.data !== undefined && (
            <p className="text-13 text-quiet">
              {t('users.count', { count: people.length })}
              {pending > 0 && ` · ${t('users.pending', { count: pending })}`}
            </p>
          )}
        </div>
        {isLong && (
          <SearchField
            label={t('users.filter')}
            clearLabel={t('users.clearFilter')}
            typed={filter}
            type={setFilter}
            className="w-64 max-md:w-full"
          />
        )}
      </div>
      <LoadState
        isLoaded={list.data !== undefined}
        {...failureReason(list.error, t)}
        failed={t('users.failedToLoad')}
        stale={(reason) => t('users.stale', { reason })}
        retryLabel={t('users.retry')}
        retry={() => void list.refetch()}
        loading={<LoadingPeople />}
      >
        {shown.length === 0 ? (
          <NoPeople filter={typed} clear={() => setFilter('')} />
        ) : (
          <PeopleList people={shown} actions={{ ...actions, askToDelete, showSessions }} />
        )}
      </LoadState>
    </>
  );
}

const NO_SKILLS: Skill[] = [];

function PeopleList({ people, actions }: Pick<PeopleProps, 'people' | 'actions'>) {
  const { data: technicianList } = useQuery(technicians);
  const { data: skillList = NO_SKILLS } = useQuery(skills);
  const byId = useMemo(
    () => new Map((technicianList ?? []).map((one) => [one.idTechnician, one])),
    [technicianList],
  );
  const Layout = useNarrow() ? PeopleCards : PeopleTable;
  return <Layout people={people} technicians={byId} skills={skillList} actions={actions} />;
}

/** `filter`: the search without a match; '' when there are no users. */
function NoPeople({ filter, clear }: { filter: string; clear: () => void }) {
  const { t } = useTranslation();
  if (filter === '')
    return <MessagePanel glyph={UsersRound} text={t('users.empty')} hint={t('users.emptyHint')} />;
  return (
    <MessagePanel glyph={SearchX} text={t('users.nobodyFound', { text: filter })}>
      <Button onClick={clear}>{t('users.clearFilter')}</Button>
    </MessagePanel>
  );
}

function LoadingPeople() {
  const { t } = useTranslation();
  return (
    <LoadingRows
      label={t('users.loading')}
      widths={['w-40', 'w-32', 'w-44', 'w-36', 'w-48', 'w-28']}
      // The table's columns.
      rowClassName="h-12 grid-cols-[1fr_25%_16%_11rem_8rem] max-md:h-28 max-md:grid-cols-[1fr_auto]"
    >
      {(width) => (
        <>
          <div className="flex flex-col gap-2 pl-4 max-md:pl-3">
            <Skeleton className={width} />
            <Skeleton className="h-2.5 w-48" />
          </div>
          <Skeleton className="mx-2 w-24 max-md:hidden" />
          <Skeleton className="mx-2 w-8 max-md:hidden" />
          <Skeleton className="mx-2 w-16" />
        </>
      )}
    </LoadingRows>
  );
}

/** The mutations of single records, by which a record knows that it is busy. */
const RECORD_MUTATION = ['staff-record'];

interface RecordMutation {
  id: string;
  work(): Promise<void>;
}

/** The users with their drafts, and what is done to one record. */
function useEditedPeople(list: readonly StaffMember[], { save, inviteAgain }: StaffMutations) {
  const { t, language } = useTranslation();
  const folder = useMailFolder();
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  const { mutate } = useMutation({
    mutationKey: RECORD_MUTATION,
    mutationFn: ({ work }: RecordMutation) => work(),
  });
  const busy = useMutationState({
    filters: { mutationKey: RECORD_MUTATION, status: 'pending' },
    select: ({ state }) => (state.variables as RecordMutation).id,
  });
  const people = useMemo(() => peopleOf(list, drafts, busy, language), [list, drafts, busy, language]);
  const draft = (id: string, next: Draft | null) => setDrafts((all) => withEntry(all, id, next));
  return {
    people,
    actions: {
      draft,
      save: (one: Draft) =>
        mutate({ id: one.base.id, work: async () => draft(one.base.id, await save(one)) }),
      inviteAgain: (member: StaffMember) =>
        mutate({
          id: member.id,
          work: async () => {
            const { email } = member;
            if (!(await inviteAgain(member))) return;
            const text =
              folder === null
                ? t('users.invitedAgain', { email })
                : t('users.invitedAgainToFile', { email, folder });
            showToast({ text });
          },
        }),
    },
  };
}

/** All users by name, including a record that is being edited although somebody else has deleted it. */
function peopleOf(
  list: readonly StaffMember[],
  drafts: ReadonlyMap<string, Draft>,
  busy: readonly string[],
  language: string,
): Person[] {
  const here = new Set(list.map(({ id }) => id));
  const deletedMembers = [...drafts.values()].map(({ base }) => base).filter(({ id }) => !here.has(id));
  return byName([...list, ...deletedMembers], language).map((member) => ({
    member,
    draft: drafts.get(member.id) ?? null,
    isDeleted: !here.has(member.id),
    busy: busy.includes(member.id),
  }));
}

function withEntry<V>(all: ReadonlyMap<string, V>, key: string, value: V | null): ReadonlyMap<string, V> {
  const next = new Map(all);
  if (value === null) next.delete(key);
  else next.set(key, value);
  return next;
}
