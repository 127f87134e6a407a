// What the server noticed that its configuration does not say, for those who run it.
import { http, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';

export type ConfigurationNotice = components['schemas']['ConfigurationNotice'];

export async function fetchConfigurationNotices(signal?: AbortSignal): Promise<ConfigurationNotice[]> {
  return (await unwrapAnswer(http.GET('/api/server-status', { signal }))).result.configuration;
}
