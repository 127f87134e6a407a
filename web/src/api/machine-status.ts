// How the machine is on which the server runs, for those who look after it: disks, backups and configuration.
import { http, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';

export type MachineStatus = components['schemas']['ServerStatus'];
export type ServerOfShop = components['schemas']['ServerOfShop'];
export type DiskSpace = components['schemas']['DiskSpace'];
export type BackupStatus = components['schemas']['BackupStatus'];
export type OffsiteBackupStatus = components['schemas']['OffsiteBackupStatus'];
export type ConfigurationNotice = components['schemas']['ConfigurationNotice'];

/** How the server begins to tell that SQLite's file is lost; of damage it tells in SQLite's own words. */
const LOST_FILE = 'its file was deleted, moved or replaced';

/** Whether the database is not damaged: its file was removed or replaced under the running server. */
export function isFileLost(damage: string): boolean {
  return damage.startsWith(LOST_FILE);
}

export async function fetchMachineStatus(signal?: AbortSignal): Promise<MachineStatus> {
  return (await unwrapAnswer(http.GET('/api/server-status', { signal }))).result;
}
