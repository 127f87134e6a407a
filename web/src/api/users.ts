// The calls about staff records, invitations, skills and the documents of the test page.
import { CallableError, callFunction } from './callable-function.ts';
import { accountHttp, http, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';

type Schemas = components['schemas'];

/** A staff record. `invited`: a password has not been set yet. */
export type StaffMember = Schemas['StaffView'];
/** The delivery state of an invitation's mail. */
export type InvitationMail = Schemas['InvitationMail'];
export type Role = Schemas['Role'];
export type Skill = Schemas['ListedSkill'];
export type TestDocuments = Schemas['TestDocuments'];

export async function fetchStaff(signal?: AbortSignal): Promise<StaffMember[]> {
  return (await unwrapAnswer(http.GET('/api/users', { signal }))).result;
}

/** The fields of a staff record that can be changed. A missing field keeps its value. */
export type StaffChange = Partial<Pick<StaffMember, 'roles' | 'skill' | 'technicianId'>>;

export async function updateStaff(id: string, change: StaffChange): Promise<void> {
  await unwrapAnswer(http.PATCH('/api/users/{id}', { params: { path: { id } }, body: change }));
}

/** Deletes the record, the account and its sessions. */
export async function deleteStaff(id: string): Promise<void> {
  await unwrapAnswer(http.DELETE('/api/users/{id}', { params: { path: { id } } }));
}

/** A user's sessions, the last used first. */
export async function fetchSessionsOf(id: string, signal?: AbortSignal) {
  const params = { path: { id } };
  return (await unwrapAnswer(http.GET('/api/users/{id}/sessions', { params, signal }))).result;
}

/** Signs somebody out in one browser. */
export async function endSessionOf(id: string, session: string): Promise<void> {
  const params = { path: { id, session } };
  await unwrapAnswer(accountHttp.DELETE('/api/users/{id}/sessions/{session}', { params }));
}

/** Signs somebody out everywhere. */
export async function endSessionsOf(id: string): Promise<void> {
  await unwrapAnswer(accountHttp.DELETE('/api/users/{id}/sessions', { params: { path: { id } } }));
}

export interface Invitation {
  email: string;
  userData: { name: string; roles: readonly Role[]; technicianId?: number; skill?: string };
}

/** Shown when the server gave no reason. */
export const INVITE_FAILED = 'Failed to invite user';

/** Queues the invitation's mail; to somebody who is invited already, once more. A technician is given the skill, too. */
export async function inviteUser(invitation: Invitation): Promise<void> {
  try {
    const answer = await callFunction('inviteUser', invitation);
    const { success, error } = readInvited(answer);
    if (!success) throw new Error(error ?? INVITE_FAILED);
  } catch (failure) {
    console.error(`${invitation.email} could not be invited.`, failure);
    if (failure instanceof CallableError && !failure.isSentence) {
      throw new Error(INVITE_FAILED, { cause: failure });
    }
    throw failure;
  }
}

function readInvited(answer: unknown): { success: boolean; error: string | null } {
  if (typeof answer !== 'object' || answer === null) return { success: false, error: null };
  const error = 'error' in answer && typeof answer.error === 'string' && answer.error !== '';
  return {
    success: 'success' in answer && answer.success === true,
    error: error ? String(answer.error) : null,
  };
}

export async function fetchSkills(signal?: AbortSignal): Promise<Skill[]> {
  return (await unwrapAnswer(http.GET('/api/repair-orders/skills', { signal }))).result;
}

/** Replaces the skills that the technician has. */
export async function giveSkill(idTechnician: number, idSkill: number): Promise<void> {
  const body = { data: [{ idTechnician, idSkill }] };
  await unwrapAnswer(http.POST('/api/repair-orders/technician-skills', { body }));
}

export async function fetchTestDocuments(signal?: AbortSignal): Promise<TestDocuments> {
  return (await unwrapAnswer(http.GET('/api/test/documents', { signal }))).result;
}

/** Makes the caller's own document, or merges into it. */
export async function putTestDocument(): Promise<void> {
  await unwrapAnswer(http.PUT('/api/test/document'));
}
