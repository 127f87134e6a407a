// What the portal's sheets show, each answer saved on this device for when there is no connection.
import { type ClockEntry, fetchEntries, fetchTimeOnOrder } from '../api/clock.ts';
import { type Details, fetchDetails } from '../api/repair-orders.ts';
import { fetchVersions, type JobRef, type StoryVersion } from '../api/tech-stories.ts';
import { type LastKnown, orLastKnown } from '../offline/last-known.ts';
import { loadScreen } from '../offline/saved-screens.ts';
import { daysAfter } from '../shop/wall-time.ts';
import type { StorySource } from '../tech-story/story-source.ts';

interface SavedVersions {
  /** The order's version by which they were asked for: by then nothing of them is missing. */
  orderVersion: number;
  versions: StoryVersion[];
}

const detailsName = (roNumber: number) => `details-${roNumber}`;
const versionsName = ({ roNumber, jobNumber }: JobRef) => `versions-${roNumber}-${jobNumber}`;
const timeName = (roNumber: number) => `time-${roNumber}`;
const weekName = (technician: number, monday: string) => `entries-${technician}-${monday}`;

export function detailsOf(roNumber: number, signal?: AbortSignal): Promise<LastKnown<Details>> {
  return orLastKnown(detailsName(roNumber), () => fetchDetails(roNumber, signal));
}

export const savedDetails = (roNumber: number) => loadScreen<Details>(detailsName(roNumber));

/** The clock entries of the week that begins with that Monday. */
export function weekOf(
  technician: number,
  monday: string,
  signal?: AbortSignal,
): Promise<LastKnown<ClockEntry[]>> {
  return orLastKnown(weekName(technician, monday), () =>
    fetchEntries(technician, monday, daysAfter(monday, 6), signal),
  );
}

export const savedStories: StorySource = {
  async versions(job, orderVersion, signal) {
    const { value, savedAt } = await orLastKnown<SavedVersions>(versionsName(job), async () => ({
      orderVersion,
      versions: await fetchVersions(job, signal),
    }));
    return { value: value.versions, savedAt };
  },
  timeOnOrder: (roNumber, signal) =>
    orLastKnown(timeName(roNumber), () => fetchTimeOnOrder(roNumber, signal)),
};

export async function areVersionsSaved(job: JobRef, orderVersion: number): Promise<boolean> {
  return (await loadScreen<SavedVersions>(versionsName(job)))?.orderVersion === orderVersion;
}

export interface Needed {
  roNumbers: ReadonlySet<number>;
  /** The Monday of the first week. */
  firstWeek: string;
}

/** Whether a saved answer is still needed; of other kinds of names each is. */
export function isNeeded(name: string, { roNumbers, firstWeek }: Needed): boolean {
  const [, kind, rest = ''] = /^(details|versions|time|entries)-(.*)$/.exec(name) ?? [];
  if (kind === undefined) return true;
  if (kind === 'entries') return rest.slice(-firstWeek.length) >= firstWeek;
  return roNumbers.has(Number.parseInt(rest, 10));
}
