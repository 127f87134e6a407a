// The mutations of staff records, and their error messages.
import { useQueryClient } from '@tanstack/react-query';
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
import { useTranslation } from '../i18n/use-translation.ts';
import { reloadStaff, skills, staff } from './staff.ts';
import { type Draft, draftChanges } from './staff-draft.ts';

interface StaffMutations {
  /** Returns null when everything is saved, else the draft of the unsaved rest. */
  save(draft: Draft): Promise<Draft | null>;
  /** Returns whether it succeeded, like the others. */
  remove(member: StaffMember): Promise<boolean>;
  invite(invitation: Invitation): Promise<boolean>;
  /** Sends a pending invitation again, with the record's values. */
  inviteAgain(member: StaffMember): Promise<boolean>;
}

/** `say` gets the error message, and null when a new attempt begins. */
export function useStaffMutations(say: (failure: string | null) => void): StaffMutations {
  const client = useQueryClient();
  const { t } = useTranslation();

  /** The screen shows the written record before the reloaded list arrives. */
  const write = async (id: string, change: StaffChange) => {
    await updateStaff(id, change);
    client.setQueryData(staff.queryKey, (list) =>
      list?.map((one) => (one.id === id ? { ...one, ...change } : one)),
    );
  };
  const give = async (technicianId: number, name: string) => {
    const skill = client.getQueryData(skills.queryKey)?.find(({ skillName }) => skillName === name);
    if (skill === undefined) throw new Error(t('users.failed.skillUnknown'));
    try {
      await giveSkill(technicianId, skill.idSkill);
    } catch (cause) {
      console.error(`Technician ${technicianId} could not be given the skill ${name}.`, cause);
      throw new Error(t('users.failed.skillNotGiven'), { cause });
    }
  };
  /** Returns whether it succeeded, and shows why not. The list is reloaded either way. */
  const tried = async (work: () => Promise<void>, failed: (failure: unknown) => string) => {
    try {
      await work();
      return true;
    } catch (failure) {
      say(failed(failure));
      return false;
    } finally {
      void reloadStaff(client);
    }
  };
  const inviteFailed = (failure: unknown) => {
    const message = errorMessage(failure, t);
    return message === INVITE_FAILED ? t('users.failed.invite') : message;
  };
  const skillFailed = (failure: unknown) => t('users.failed.skill', { reason: errorMessage(failure, t) });

  return {
    async save(draft) {
      say(null);
      const { id, technicianId } = draft.base;
      const { roles, skill } = draftChanges(draft);
      let left = draft;
      // Roles first: they may be refused before anything is changed.
      if (roles !== undefined) {
        const done = await tried(
          () => write(id, { roles }),
          (failure) => t('users.failed.update', { reason: errorMessage(failure, t) }),
        );
        if (!done) return left;
        left = { ...left, base: { ...left.base, roles } };
      }
      if (skill !== undefined) {
        const done = await tried(async () => {
          if (technicianId !== null && skill !== null) await give(technicianId, skill);
          await write(id, { skill });
        }, skillFailed);
        if (!done) return left;
      }
      return null;
    },
    async remove({ id }) {
      say(null);
      return tried(
        async () => {
          await deleteStaff(id).catch((failure: unknown) => {
            // Somebody else has already deleted it.
            if (!(failure instanceof ApiError) || failure.code !== 'unknown-user') throw failure;
          });
          client.setQueryData(staff.queryKey, (list) => list?.filter((one) => one.id !== id));
        },
        (failure) => t('users.failed.delete', { reason: errorMessage(failure, t) }),
      );
    },
    async invite(invitation) {
      say(null);
      return tried(() => inviteUser(invitation), inviteFailed);
    },
    async inviteAgain({ email, name, roles, technicianId, skill }) {
      say(null);
      const userData = {
        name,
        roles,
        ...(technicianId !== null && { technicianId }),
        ...(skill !== null && { skill }),
      };
      return tried(() => inviteUser({ email, userData }), inviteFailed);
    },
  };
}
