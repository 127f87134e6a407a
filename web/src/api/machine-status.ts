// How the machine is on which the server runs, for those who look after it: disks, backups and configuration.
import { http, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';

export type MachineStatus = components['schemas']['ServerStatus'];
export type ServerOfShop = components['schemas']['ServerOfShop'];
export type DiskSpace = components['schemas']['DiskSpace'];
export type IntakeStatus = components['schemas']['IntakeStatus'];
export type BackupStatus = components['schemas']['BackupStatus'];
export type OffsiteBackupStatus = components['schemas']['OffsiteBackupStatus'];
export type ConfigurationNotice = components['schemas']['ConfigurationNotice'];

export async function fetchMachineStatus(signal?: AbortSignal): Promise<MachineStatus> {
  return (await unwrapAnswer(http.GET('/api/server-status', { signal }))).result;
}
