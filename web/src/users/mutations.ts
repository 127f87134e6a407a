// The mutations of staff records, and their error messages.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { ApiError } from '../api/http.ts';
import {
  deleteStaff,
  giveSkill,
  INVITE_FAILED,
  type Invitation,
  inviteUser,
  type StaffChange,
  type StaffMember,
  updateStaff,
} from '../api/users.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { failedRequest } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { skills } from '../repair-order/skills.ts';
import type { FailedRequest } from '../ui/request-reference.tsx';
import { reloadStaff, staff } from './staff.ts';
import { type Draft, draftChanges } from './staff-draft.ts';

export interface StaffMutations {
  /** Returns null when everything is saved, else the draft of the unsaved rest. */
  save(draft: Draft): Promise<Draft | null>;
  /** Returns whether it succeeded, like the others. */
  remove(member: StaffMember): Promise<boolean>;
  invite(invitation: Invitation): Promise<boolean>;
  /** Sends a pending invitation again, with the record's values. */
  inviteAgain(member: StaffMember): Promise<boolean>;
}

export interface StaffFailure {
  text: string;
  request: FailedRequest | null;
}

/** `say` gets the error message, and null when a new attempt begins. */
export function useStaffMutations(say: (failure: StaffFailure | null) => void): StaffMutations {
  const client = useQueryClient();
  const { t } = useTranslation();
  /** Returns whether it succeeded, and shows why not. The list is reloaded either way. */
  const attempt: Attempt = async (work, failed) => {
    try {
      await work();
      return true;
    } catch (failure) {
      say({ text: failed(errorMessage(failure, t)), request: failedRequest(failure, t) });
      return false;
    } finally {
      void reloadStaff(client);
    }
  };
  const invite = (invitation: Invitation) => {
    say(null);
    return attempt(
      () => inviteUser(invitation),
      (reason) => (reason === INVITE_FAILED ? t('users.failed.invite') : reason),
    );
  };
  return {
    save(draft) {
      say(null);
      return saveDraft(draft, client, t, attempt);
    },
    remove({ id }) {
      say(null);
      return attempt(
        () => remove(id, client),
        (reason) => t('users.failed.delete', { reason }),
      );
    },
    invite,
    inviteAgain({ email, name, roles, technicianId, skill }) {
      const userData = {
        name,
        roles,
        ...(technicianId !== null && { technicianId }),
        ...(skill !== null && { skill }),
      };
      return invite({ email, userData });
    },
  };
}

type Attempt = (work: () => Promise<void>, failed: (reason: string) => string) => Promise<boolean>;

async function saveDraft(draft: Draft, client: QueryClient, t: TFunction, attempt: Attempt) {
  const { base, technicianId } = draft;
  const { skill, ...rights } = draftChanges(draft);
  const { id } = base;
  let left = draft;
  // Roles and technician first: they may be refused before anything is changed.
  if (Object.keys(rights).length > 0) {
    const done = await attempt(
      () => write(id, rights, client),
      (reason) => t('users.failed.update', { reason }),
    );
    if (!done) return left;
    left = { ...left, base: { ...left.base, ...rights } };
  }
  if (skill !== undefined) {
    const done = await attempt(
      async () => {
        if (technicianId !== null && skill !== null) await give(technicianId, skill, client, t);
        await write(id, { skill }, client);
      },
      (reason) => t('users.failed.skill', { reason }),
    );
    if (!done) return left;
  }
  return null;
}

/** The screen shows the written record before the reloaded list arrives. */
async function write(id: string, change: StaffChange, client: QueryClient): Promise<void> {
  await updateStaff(id, change);
  client.setQueryData(staff.queryKey, (list) =>
    list?.map((one) => (one.id === id ? { ...one, ...change } : one)),
  );
}

async function give(technicianId: number, name: string, client: QueryClient, t: TFunction): Promise<void> {
  const skill = client.getQueryData(skills.queryKey)?.find(({ skillName }) => skillName === name);
  if (skill === undefined) throw new Error(t('users.failed.skillUnknown'));
  try {
    await giveSkill(technicianId, skill.idSkill);
  } catch (cause) {
    console.error(`Technician ${technicianId} could not be given the skill ${name}.`, cause);
    throw new Error(t('users.failed.skillNotGiven'), { cause });
  }
}

async function remove(id: string, client: QueryClient): Promise<void> {
  await deleteStaff(id).catch((failure: unknown) => {
    // Somebody else has already deleted it.
    if (!(failure instanceof ApiError) || failure.code !== 'unknown-user') throw failure;
  });
  client.setQueryData(staff.queryKey, (list) => list?.filter((one) => one.id !== id));
}
