import type { Level, Member, Organisation } from '../api/technicians.ts';

function member(idTechnician: number, displayName: string, overrides: Partial<Member> = {}): Member {
  return {
    idTechnician,
    displayName,
    specialty: '',
    maxSkillName: null,
    idLevel: null,
    levelName: null,
    dailyHours: 8,
    skills: [],
    ...overrides,
  };
}

function level(idLevel: number, name: string, technicians: Member[] = []): Level {
  return { idLevel, name, position: idLevel, technicians };
}

export const ana = member(1, 'Ana Ruiz', {
  specialty: 'Engine',
  maxSkillName: 'Engine repair',
  skills: [{ idSkill: 11, skillName: 'Engine repair', level: 60 }],
});
export const bo = member(2, 'Bo Li');
export const cal = member(3, 'Cal Reyes', { specialty: 'Brakes' });

export const shop: Organisation = {
  levels: [level(1, 'Foreman', [ana]), level(2, 'Master', [bo]), level(3, 'Lube-tech')],
  unplaced: [cal],
};
