// The calls about what files of the dealer system name and nobody here is called: numbers of technicians and advisors, and
// names of stages.
import { ApiError, http, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';

type Schemas = components['schemas'];
export type UnmatchedName = Schemas['UnmatchedNumber'];
/** What somebody has said that a name means. */
export type NameMatch = Schemas['NumberMatch'];
export type NewNameMatch = Schemas['NewMatch'];

/** Those on the most repair orders first. */
export async function fetchUnmatchedNames(signal?: AbortSignal): Promise<UnmatchedName[]> {
  return (await unwrapAnswer(http.GET('/api/intake/unmatched', { signal }))).result;
}

export async function fetchNameMatches(signal?: AbortSignal): Promise<NameMatch[]> {
  return (await unwrapAnswer(http.GET('/api/intake/matches', { signal }))).result;
}

/** Open repair orders are corrected, and later files know. */
export async function matchName(body: NewNameMatch): Promise<void> {
  await unwrapAnswer(http.POST('/api/intake/matches', { body }));
}

/** Repair orders stay as they are. */
export async function forgetMatch({ kind, number }: Pick<NameMatch, 'kind' | 'number'>): Promise<void> {
  try {
    await unwrapAnswer(
      http.DELETE('/api/intake/matches/{kind}/{number}', { params: { path: { kind, number } } }),
    );
  } catch (failure) {
    if (!(failure instanceof ApiError && failure.code === 'unknown-match')) throw failure;
  }
}
