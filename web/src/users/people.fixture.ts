import type { Technician } from '../api/repair-orders.ts';
import type { Skill, StaffMember } from '../api/users.ts';

/** A staff record with what is not said left empty; its id is the email. */
export function member(email: string, record: Partial<StaffMember> = {}): StaffMember {
  const nothing = { skill: null, technicianId: null, invitedAt: null, role: null, createdAt: null };
  return { id: email, email, name: email, roles: ['Advisor'], invited: false, ...nothing, ...record };
}

export const technicianList: Technician[] = [
  {
    idTechnician: 4,
    displayName: 'Joe Marsh',
    specialty: 'Engine',
    maxSkillName: 'Craftsman',
    dailyHours: 8,
    idLevel: null,
    levelName: null,
    skills: [],
  },
  {
    idTechnician: 5,
    displayName: 'Kim Ito',
    specialty: '',
    maxSkillName: null,
    dailyHours: 8,
    idLevel: null,
    levelName: null,
    skills: [],
  },
];

export const skillList: Skill[] = [
  { idSkill: 11, skillName: 'Master', skillLevel: 90 },
  { idSkill: 12, skillName: 'Craftsman', skillLevel: 70 },
];
