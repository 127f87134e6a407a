// Sends this device's changes to the server: at once, or as soon as there is a connection.
import { createAtom, useSelector } from '@tanstack/react-store';
import { useEffect } from 'react';
import type { ErrorCode } from '../api/error-code.ts';
import { idempotencyKey } from '../api/http.ts';
import { createListeners } from '../api/listeners.ts';
import { onServerStatus, serverStatus } from '../api/server-status.ts';
import { isServerUnresponsive } from '../api/server-time.ts';
import { onSessionChange, sessionState } from '../api/session.ts';
import { onSocketMessage } from '../api/socket.ts';
import type { Mutation } from './database.ts';
import { markLocalData } from './local-data.ts';
import { MutationQueue } from './mutation-queue.ts';

export type { Mutation };

export interface RefusedMutation {
  mutation: Mutation;
  sentence: string;
  code: ErrorCode;
}

export interface Outbox {
  /** The unanswered mutations, in sending order. */
  waiting: readonly Mutation[];
  /** How many more are unanswered, whose callers still wait for their answers. */
  underWay: number;
  refused: readonly RefusedMutation[];
}

/** There is no connection: the mutation is kept and sent later. */
export const QUEUED = Symbol('queued');

const nothing: Outbox = { waiting: [], underWay: 0, refused: [] };

let queue: { uid: string; mutations: MutationQueue } | null = null;
const current = createAtom(nothing);

const lateAnswers = createListeners<[mutation: Mutation, answer: unknown]>();
/** Hears of each mutation that this page sent after `submit` had returned QUEUED for it, and of the server's answer. */
export const onLateAnswer = lateAnswers.subscribe;

/**
 * Returns the server's answer, or QUEUED without a connection. Rejects with ApiError when the server refuses it; a
 * mutation that is refused later is in `refused`.
 */
export async function submit({
  key = idempotencyKey(),
  ...mutation
}: Omit<Mutation, 'key'> & { key?: string }): Promise<unknown> {
  const ours = open();
  if (ours === null) throw new Error('What a user does is theirs: somebody must be signed in.');
  const outcome = await ours.submit({ key, ...mutation });
  return outcome.kind === 'queued' ? QUEUED : outcome.answer;
}

/** The user has read why a mutation was refused. */
export function dismiss(key: string): void {
  void open()?.dismiss(key);
}

/** Resolves once each caller has its answer, or its change waits: after a few seconds at the latest. */
export function callersAnswered(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (current.get().underWay > 0) return;
      subscription.unsubscribe();
      resolve();
    };
    const subscription = current.subscribe(look);
    look();
  });
}

export function useOutbox(): Outbox {
  useEffect(() => void open(), []);
  return useSelector(current);
}

export function currentOutbox(): Outbox {
  return current.get();
}

/** The signed-in user's outbox. */
function open(): MutationQueue | null {
  const session = sessionState();
  const uid = session.status === 'signed-in' ? session.user.uid : null;
  if (queue?.uid === uid) return queue?.mutations ?? null;
  queue?.mutations.close();
  queue = null;
  if (uid === null) {
    current.set(nothing);
    return null;
  }
  markLocalData();
  const mutations = new MutationQueue(uid, {
    isServerUnresponsive,
    isSignedIn: () => {
      const now = sessionState();
      return now.status === 'signed-in' && now.user.uid === uid;
    },
    onChange: () => {
      if (queue?.mutations === mutations) current.set(mutations.contents());
    },
    onLateAnswer: (mutation, answer) => {
      if (queue?.mutations === mutations) lateAnswers.notify(mutation, answer);
    },
  });
  queue = { uid, mutations };
  current.set(nothing);
  void mutations.send();
  return mutations;
}

/** There may be a connection again. */
function tryAgain(): void {
  void queue?.mutations.send();
}

// Created once; it follows the session.
onSessionChange(() => {
  open();
  tryAgain();
});
onSocketMessage('CLOCK_CHANGED', (message) => {
  // Null means a new connection.
  if (message === null) tryAgain();
});
onServerStatus((before) => {
  // The server saves changes again.
  if (before.notSavingSince !== null && serverStatus().notSavingSince === null) tryAgain();
});
window.addEventListener('online', tryAgain);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') tryAgain();
});
