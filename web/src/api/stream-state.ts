// The server's state in each `hello` and `tick`, for the desk and the boards.
import type { components } from './schema.ts';

/** An older server sends neither its log's identity nor its outages. */
export type StreamState = components['schemas']['StreamState'];

export type WithGeneration = Pick<StreamState, 'generation'>;
