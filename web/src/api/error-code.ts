// What goes wrong, for programs. Types alone: the service worker has them, too.
import type { components } from './schema.ts';

/** What the server refuses with, and what goes wrong on the way to it and back. */
export type ErrorCode =
  | components['schemas']['ErrorCode']
  | 'network'
  | 'not-kept'
  | 'started-over'
  | 'too-late'
  | 'unexpected-answer';
