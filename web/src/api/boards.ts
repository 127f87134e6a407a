// The calls that manage the wall boards.
import { ApiError, http, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';

type Schemas = components['schemas'];
export type Board = Schemas['Board'];
export type BoardLayout = Schemas['BoardLayout'];
export type BoardCategory = Schemas['DisplayedStatus'];
export type BoardSettings = Schemas['BoardSettings'];
/** A field that is missing keeps its value, or the layout's default. */
export type BoardFields = Schemas['BoardFields'];
/** `boardId`: an existing board; without it a new board is made. */
export type BoardTarget = Schemas['BoardTarget'];
export type BoardLink = Schemas['BoardLink'];

export async function fetchBoards(signal?: AbortSignal): Promise<Board[]> {
  return (await unwrapAnswer(http.GET('/api/boards', { signal }))).result;
}

/** The screen that shows this code becomes a board. */
export async function claimBoard(code: string, target: BoardTarget): Promise<Board> {
  return (await unwrapAnswer(http.POST('/api/boards/pairings/claim', { body: { ...target, code } }))).result;
}

export async function linkBoard(target: BoardTarget): Promise<BoardLink> {
  return (await unwrapAnswer(http.POST('/api/boards/links', { body: target }))).result;
}

export async function changeBoard(id: string, body: BoardFields): Promise<void> {
  await unwrapAnswer(http.PATCH('/api/boards/{id}', { params: { path: { id } }, body }));
}

/** Revokes the board's token; the board itself stays. */
export async function revokeBoard(id: string): Promise<void> {
  await unwrapAnswer(http.POST('/api/boards/{id}/revoke', { params: { path: { id } } }));
}

/**
 * Deletes a board without a screen. A board that is already gone counts as deleted: an earlier answer may have been
 * lost.
 */
export async function deleteBoard(id: string): Promise<void> {
  try {
    await unwrapAnswer(http.DELETE('/api/boards/{id}', { params: { path: { id } } }));
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.code !== 'unknown-board') throw failure;
  }
}

export async function reloadBoard(id: string): Promise<void> {
  await unwrapAnswer(http.POST('/api/boards/{id}/reload', { params: { path: { id } } }));
}

export async function identifyBoard(id: string): Promise<void> {
  await unwrapAnswer(http.POST('/api/boards/{id}/identify', { params: { path: { id } } }));
}
