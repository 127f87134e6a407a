// The calls about a job's story: the interview that makes it, its versions, and writing it by hand.
import { readServerEvents } from './event-stream.ts';
import { ApiError, http, sendAuthorised, toApiError, unwrapAnswer } from './http.ts';
import type { Changed } from './repair-orders.ts';
import type { components } from './schema.ts';

type Schemas = components['schemas'];

/** Who asks and writes: the built-in one, or a model. */
export type Interviewer = Schemas['Interviewer'];
export type Interviewers = Schemas['Interviewers'];
export type Turn = Schemas['StoryAnswer'];
export type Answer = Turn['answer'];
export type StoryReply = Schemas['StoryReply'];
export type Question = Extract<StoryReply, { type: 'question' }>;
export type FinishedStory = Extract<StoryReply, { type: 'techStory' }>;
/** Something of a story that stands in none of what it was made from. */
export type UnsupportedFact = Schemas['Doubt'];
/** An interview that has not ended. */
export type OpenStory = Schemas['OpenStory'];
export type StoryVersion = Schemas['StoryVersion'];

/** Which job of which order. */
export interface JobRef {
  roNumber: number;
  jobNumber: number;
}

export async function fetchInterviewers(signal?: AbortSignal): Promise<Interviewers> {
  return (await unwrapAnswer(http.GET('/api/tech-stories/interviewers', { signal }))).result;
}

/** The caller's own interview about that job that has not ended. */
export async function fetchOpenStory(
  { roNumber, jobNumber }: JobRef,
  signal?: AbortSignal,
): Promise<OpenStory | null> {
  const query = { roNumber: String(roNumber), jobNumber: String(jobNumber) };
  return (await unwrapAnswer(http.GET('/api/tech-stories/open', { params: { query }, signal }))).result;
}

export type NextTurn = Schemas['NextTurn'];

/** The server has a limit of its own, which a shop may have raised; the user can stop it at any time. */
const REPLY_WITHIN_MS = 300_000;

/**
 * What comes after these turns. `progress`: the reply's text as far as it is there. Sent once: the server has been
 * patient with the model already, and the user can ask again.
 */
export async function nextReply(
  turn: NextTurn,
  progress: (text: string) => void,
  signal: AbortSignal,
): Promise<StoryReply> {
  const request = new Request(new URL('/api/tech-stories/next', location.origin), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
    body: JSON.stringify(turn),
    signal,
  });
  try {
    const response = await sendAuthorised(request, REPLY_WITHIN_MS);
    if (!isStream(response)) return replyIn(response.status, await response.json().catch(() => null));
    for await (const { name, text } of readServerEvents(response)) {
      const parsed: unknown = JSON.parse(text);
      if (name === 'progress') progress(progressIn(parsed));
      if (name === 'reply') return replyIn(response.status, parsed);
      // What the status would have been, its code says.
      if (name === 'refused') throw toApiError(response.status, parsed);
    }
  } catch (failure) {
    if (failure instanceof ApiError || signal.aborted) throw failure;
    throw new ApiError(0, 'network', 'The server could not be reached.');
  }
  throw new ApiError(0, 'network', 'The answer broke off.');
}

function isStream(response: Response): boolean {
  return response.headers.get('Content-Type')?.startsWith('text/event-stream') === true;
}

function progressIn(parsed: unknown): string {
  return typeof parsed === 'object' && parsed !== null && 'text' in parsed ? String(parsed.text) : '';
}

function replyIn(status: number, body: unknown): StoryReply {
  const result = typeof body === 'object' && body !== null && 'result' in body ? body.result : null;
  if (isReply(result)) return result;
  throw toApiError(status, body);
}

function isReply(parsed: unknown): parsed is StoryReply {
  if (typeof parsed !== 'object' || parsed === null || !('type' in parsed)) return false;
  return parsed.type === 'question' || parsed.type === 'techStory';
}

export interface StoryToSave {
  story: string;
  /** The texts of the doubts that the user vouches for. */
  confirmed: string[];
}

/** The finished story becomes the job's. 422 `unconfirmed` with the doubts that are neither confirmed nor gone. */
export async function saveStory(conversationId: string, body: StoryToSave): Promise<Changed> {
  const params = { path: { conversationId } };
  return (await unwrapAnswer(http.POST('/api/tech-stories/{conversationId}/save', { params, body }))).result;
}

export async function endConversation(conversationId: string): Promise<void> {
  const params = { path: { conversationId } };
  await unwrapAnswer(http.DELETE('/api/tech-stories/{conversationId}', { params }));
}

/** Newest first. */
export async function fetchVersions(job: JobRef, signal?: AbortSignal): Promise<StoryVersion[]> {
  const params = { path: pathOf(job) };
  const path = '/api/repair-orders/{roNumber}/jobs/{jobNumber}/stories';
  return (await unwrapAnswer(http.GET(path, { params, signal }))).result;
}

export async function restoreVersion(job: JobRef, seq: number): Promise<Changed> {
  const params = { path: { ...pathOf(job), seq: String(seq) } };
  const path = '/api/repair-orders/{roNumber}/jobs/{jobNumber}/stories/{seq}/restore';
  return (await unwrapAnswer(http.POST(path, { params, body: {} }))).result;
}

/** Written by hand, on the story of that version of the order. `confirmed`: the doubts that were found to be right. */
export async function writeStory(
  job: JobRef,
  techStory: string,
  expectedVersion: number,
  confirmed: string[] = [],
): Promise<Changed> {
  const params = { path: pathOf(job) };
  const body = { techStory, expectedVersion, ...(confirmed.length > 0 && { confirmed }) };
  return (await unwrapAnswer(http.PATCH('/api/repair-orders/{roNumber}/jobs/{jobNumber}', { params, body })))
    .result;
}

function pathOf({ roNumber, jobNumber }: JobRef) {
  return { roNumber: String(roNumber), jobNumber: String(jobNumber) };
}

/** What of a story is still in doubt, where that is why it was not saved. */
export function fetchUnsupportedFacts(failure: unknown): readonly UnsupportedFact[] | null {
  if (!(failure instanceof ApiError) || failure.code !== 'unconfirmed') return null;
  return failure.refused?.doubts ?? [];
}
