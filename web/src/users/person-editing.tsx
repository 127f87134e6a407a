// Editing a staff record in place: entering and leaving the edit mode, and changes by others meanwhile.
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefCallback,
  useCallback,
  useId,
  useRef,
} from 'react';
import type { Technician } from '../api/repair-orders.ts';
import type { Skill, StaffMember } from '../api/users.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { Differences } from './person-fields.tsx';
import { concurrentChanges, type Draft, draftOf, rebaseDraft } from './staff-draft.ts';

/** Somebody on the list. */
export interface Person {
  member: StaffMember;
  /** The draft of the record. */
  draft: Draft | null;
  /** Somebody else deleted it. */
  isDeleted: boolean;
  /** Whether a request about it is pending. */
  busy: boolean;
}

export interface PeopleProps {
  people: readonly Person[];
  technicians: ReadonlyMap<number, Technician>;
  skills: Skill[];
  actions: {
    /** Null ends it. */
    draft(id: string, draft: Draft | null): void;
    save(draft: Draft): void;
    inviteAgain(member: StaffMember): void;
    askToDelete(member: StaffMember): void;
    showSessions(member: StaffMember): void;
  };
}

export type PersonProps = Omit<PeopleProps, 'people'> & { person: Person };

export interface Editing {
  /** The id of the form that saves. */
  form: string;
  canSave: boolean;
  /** The changes by others, and the choice between them and the draft. */
  note: ReactNode;
  begin(): void;
  stopEditing(): void;
  change(draft: Draft): void;
  submit(event: FormEvent): void;
  onKeyDown(event: KeyboardEvent): void;
  /** The button that started editing gets the focus back. */
  opener: RefCallback<HTMLButtonElement>;
}

export function useEditing(
  { member, draft, isDeleted, busy }: Person,
  actions: PeopleProps['actions'],
): Editing {
  const form = useId();
  const isLeaving = useRef(false);
  const opener = useCallback((button: HTMLButtonElement | null) => {
    if (button === null || !isLeaving.current) return;
    isLeaving.current = false;
    // The focus is not taken from another control.
    if (document.activeElement === document.body) button.focus();
  }, []);
  const differences = draft === null || isDeleted || busy ? [] : concurrentChanges(draft, member);
  const canSave = draft !== null && !isDeleted && !busy && differences.length === 0;
  const stopEditing = () => {
    if (busy) return;
    isLeaving.current = true;
    actions.draft(member.id, null);
  };
  return {
    form,
    canSave,
    note:
      draft === null ? null : isDeleted ? (
        <DeletedMeanwhile email={member.email} stopEditing={stopEditing} />
      ) : differences.length > 0 ? (
        <ConcurrentChange
          email={member.email}
          differences={differences}
          keep={() => actions.draft(member.id, rebaseDraft(draft, member))}
          take={() => actions.draft(member.id, draftOf(member))}
        />
      ) : null,
    begin() {
      isLeaving.current = false;
      actions.draft(member.id, draftOf(member));
    },
    stopEditing,
    change(next) {
      if (!busy && !isDeleted) actions.draft(member.id, next);
    },
    submit(event) {
      event.preventDefault();
      if (!canSave) return;
      isLeaving.current = true;
      actions.save(draft);
    },
    onKeyDown(event) {
      if (draft !== null && event.key === 'Escape' && !event.defaultPrevented) stopEditing();
    },
    opener,
  };
}

function DeletedMeanwhile({ email, stopEditing }: { email: string; stopEditing: () => void }) {
  const { t } = useTranslation();
  return (
    <div role="alert" className={note}>
      <p className="font-medium text-stale">{t('users.meanwhile.deleted', { email })}</p>
      <Button onClick={stopEditing} className="h-8">
        {t('users.meanwhile.leave')}
      </Button>
    </div>
  );
}

interface ConcurrentChangeProps {
  email: string;
  differences: ReturnType<typeof concurrentChanges>;
  keep(): void;
  take(): void;
}

function ConcurrentChange({ email, differences, keep, take }: ConcurrentChangeProps) {
  const { t } = useTranslation();
  return (
    <div role="alert" className={note}>
      <div className="min-w-0">
        <p className="font-medium text-stale">{t('users.meanwhile.changed', { email })}</p>
        <Differences all={differences} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onClick={keep} className="h-8">
          {t('users.meanwhile.keep')}
        </Button>
        <Button onClick={take} className="h-8">
          {t('users.meanwhile.take')}
        </Button>
      </div>
    </div>
  );
}

const note =
  'flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-lg bg-stale-tint px-3.5 py-2 text-13';
