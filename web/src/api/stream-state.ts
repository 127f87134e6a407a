// What the server says of itself with each `hello` and `tick`, for the desk's program and the boards'.
import type { components } from './schema.ts';

/** A server of before says nothing of its log, and nothing of outages. */
export type StreamState = components['schemas']['StreamState'];

export type WithGeneration = Pick<StreamState, 'generation'>;
