// How full the server's disks are, for those who look after it.
import { http, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';

export type DiskSpace = components['schemas']['DiskSpace'];

export async function fetchDisks(signal?: AbortSignal): Promise<DiskSpace[]> {
  return (await unwrapAnswer(http.GET('/api/server-status', { signal }))).result.disk;
}
