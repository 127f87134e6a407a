// Where a story's versions and the time for its claim come from: the server, or also what a technician's device has
// saved of them, which the portal provides. A desk saves nothing.
import { createContext } from 'react';
import { type ClockedOnJob, fetchTimeOnOrder } from '../api/clock.ts';
import { fetchVersions, type JobRef, type StoryVersion } from '../api/tech-stories.ts';
import type { LastKnown } from '../offline/last-known.ts';

export interface StorySource {
  /** `orderVersion`: that of the order whose stories are shown. */
  versions(job: JobRef, orderVersion: number, signal?: AbortSignal): Promise<LastKnown<StoryVersion[]>>;
  timeOnOrder(roNumber: number, signal?: AbortSignal): Promise<LastKnown<ClockedOnJob[]>>;
}

const server: StorySource = {
  versions: async (job, _, signal) => ({ value: await fetchVersions(job, signal), savedAt: null }),
  timeOnOrder: async (roNumber, signal) => ({
    value: await fetchTimeOnOrder(roNumber, signal),
    savedAt: null,
  }),
};

export const StorySourceContext = createContext(server);
