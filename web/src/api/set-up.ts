// The calls of the first start.
import { ApiError, sessionHttp, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';
import { enterSession } from './session.ts';

export type SetUpQuestions = components['schemas']['SetUpQuestions'];

/** Why a link does not work. */
export type SetUpLinkFailure = 'invalid-link' | 'already-set-up';

export function setUpLinkFailure(failure: unknown): SetUpLinkFailure | null {
  const code = failure instanceof ApiError ? failure.code : '';
  return code === 'invalid-link' || code === 'already-set-up' ? code : null;
}

/** What is to be asked for, where this link is good. It stays as it is. */
export async function checkSetUpLink(token: string, signal?: AbortSignal): Promise<SetUpQuestions> {
  const { result } = await unwrapAnswer(sessionHttp.POST('/api/set-up/check', { body: { token }, signal }));
  return result;
}

/** Makes the first owner, who is signed in then. */
export async function setUpShop(body: components['schemas']['FirstStart']): Promise<void> {
  const { result } = await unwrapAnswer(sessionHttp.POST('/api/set-up', { body }));
  enterSession(result);
}
