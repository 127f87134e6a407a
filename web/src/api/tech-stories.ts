// The calls about a job's tech story: the interview that produces it, its versions, and editing it by hand.
import { readServerEvents } from './event-stream.ts';
import { ApiError, http, sendAuthorised, toApiError, unwrapAnswer } from './http.ts';
import type { ChangedResult } from './repair-orders.ts';
import type { components } from './schema.ts';

type Schemas = components['schemas'];

/** Who asks the questions and writes the story: the built-in interviewer or a model. */
export type Interviewer = Schemas['Interviewer'];
export type Interviewers = Schemas['Interviewers'];
export type Turn = Schemas['StoryAnswer'];
export type Answer = Turn['answer'];
export type StoryReply = Schemas['StoryReply'];
export type Question = Extract<StoryReply, { type: 'question' }>;
export type FinishedStory = Extract<StoryReply, { type: 'techStory' }>;
/** A statement in a story that none of its inputs supports. */
export type UnsupportedFact = Schemas['Doubt'];
/** What a question can be given with a Yes. */
export type AnswerField = Schemas['AnswerField'];
/** The fields of a warranty claim beside its story. */
export type StoryClaim = Schemas['StoryClaim'];
/** An interview that has not ended. */
export type OpenStory = Schemas['OpenStory'];
export type StoryVersion = Schemas['StoryVersion'];

type StoryKind = Schemas['PutStoryKind']['kind'];
/** The kinds of jobs that interviews know, and those that the shop has named for its opcodes. */
export type StoryKinds = Schemas['StoryKinds'];

export async function fetchStoryKinds(signal?: AbortSignal): Promise<StoryKinds> {
  return (await unwrapAnswer(http.GET('/api/story-kinds', { signal }))).result;
}

/**
 * `kind`: one of the kinds that the server has listed, which may have one more than this page knows; null leaves it to
 * the interviewer again.
 */
export async function putStoryKind(pattern: string, kind: string | null): Promise<void> {
  await unwrapAnswer(http.PUT('/api/story-kinds', { body: { pattern, kind: kind as StoryKind } }));
}

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

/** The server has its own limit, which a shop may have raised; the user can stop the request at any time. */
const REPLY_TIMEOUT_MS = 300_000;

/**
 * Fetches the reply to these turns. `progress` gets the partial text of the reply. Sent once: the server has already
 * retried the model, and the user can ask again.
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
    const response = await sendAuthorised(request, REPLY_TIMEOUT_MS);
    if (!isStream(response)) return parseReply(response, await response.json().catch(() => null));
    for await (const { name, text } of readServerEvents(response)) {
      const parsed: unknown = JSON.parse(text);
      if (name === 'progress') progress(parseProgress(parsed));
      if (name === 'reply') return parseReply(response, parsed);
      // The code tells what the status would have been.
      if (name === 'refused') throw toApiError(response, parsed);
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

function parseProgress(parsed: unknown): string {
  return typeof parsed === 'object' && parsed !== null && 'text' in parsed ? String(parsed.text) : '';
}

function parseReply(response: Response, body: unknown): StoryReply {
  const result = typeof body === 'object' && body !== null && 'result' in body ? body.result : null;
  if (isReply(result)) return result;
  throw toApiError(response, body);
}

function isReply(parsed: unknown): parsed is StoryReply {
  if (typeof parsed !== 'object' || parsed === null || !('type' in parsed)) return false;
  return parsed.type === 'question' || parsed.type === 'techStory';
}

export interface StoryToSave {
  story: string;
  /** The unsupported facts that the user has confirmed. */
  confirmed: string[];
}

/**
 * Saves the finished story to the job. 422 `unconfirmed` with the unsupported facts that are neither confirmed nor
 * removed.
 */
export async function saveStory(
  conversationId: string,
  body: StoryToSave,
  key: string,
): Promise<ChangedResult> {
  const params = { path: { conversationId } };
  const headers = { 'Idempotency-Key': key };
  const call = http.POST('/api/tech-stories/{conversationId}/save', { params, body, headers });
  return (await unwrapAnswer(call)).result;
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

export async function restoreVersion(job: JobRef, seq: number): Promise<ChangedResult> {
  const params = { path: { ...pathOf(job), seq: String(seq) } };
  const path = '/api/repair-orders/{roNumber}/jobs/{jobNumber}/stories/{seq}/restore';
  return (await unwrapAnswer(http.POST(path, { params, body: {} }))).result;
}

/**
 * Saves a story written by hand, based on the story at that version of the order. `confirmed`: the unsupported facts
 * that the user has confirmed.
 */
export async function writeStory(
  job: JobRef,
  techStory: string,
  expectedVersion: number,
  confirmed: string[] = [],
): Promise<ChangedResult> {
  const params = { path: pathOf(job) };
  const body = { techStory, expectedVersion, ...(confirmed.length > 0 && { confirmed }) };
  return (await unwrapAnswer(http.PATCH('/api/repair-orders/{roNumber}/jobs/{jobNumber}', { params, body })))
    .result;
}

function pathOf({ roNumber, jobNumber }: JobRef) {
  return { roNumber: String(roNumber), jobNumber: String(jobNumber) };
}

/** The unsupported facts that kept a story from being saved. */
export function fetchUnsupportedFacts(failure: unknown): readonly UnsupportedFact[] | null {
  if (!(failure instanceof ApiError) || failure.code !== 'unconfirmed') return null;
  return failure.refused?.doubts ?? [];
}
