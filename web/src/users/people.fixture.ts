import type { Technician } from '../api/repair-orders.ts';
import { technician } from '../api/technician.fixture.ts';
import type { Skill, StaffMember } from '../api/users.ts';

/** A staff record with what is not said left empty; its id is the email. */
export function member(email: string, record: Partial<StaffMember> = {}): StaffMember {
  const nothing = { skill: null, technicianId: null, role: null, createdAt: null };
  const here = { invited: false, invitedAt: null, invitationMail: null };
  return { id: email, email, name: email, roles: ['Advisor'], ...here, ...nothing, ...record };
}

export const technicianList: Technician[] = [
  technician(4, 'Joe Marsh', 'Engine', { maxSkillName: 'Craftsman' }),
  technician(5, 'Kim Ito', ''),
];

export const skillList: Skill[] = [
  { idSkill: 11, skillName: 'Master', skillLevel: 90, usedBy: { technicians: 0, rules: 0 } },
  { idSkill: 12, skillName: 'Craftsman', skillLevel: 70, usedBy: { technicians: 1, rules: 0 } },
];
