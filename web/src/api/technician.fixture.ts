import type { Technician } from './repair-orders.ts';

const NOTHING = { maxSkillName: null, idLevel: null, levelName: null, dailyHours: 8, skills: [] };

/** A technician of whom the shop says no more than that. */
export function technician(
  idTechnician: number,
  displayName: string,
  specialty: string,
  more: Partial<Technician> = {},
): Technician {
  return { idTechnician, displayName, specialty, ...NOTHING, ...more };
}
