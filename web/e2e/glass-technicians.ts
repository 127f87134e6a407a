// Technicians who alone have the skill for glass work (opcodes GLASS*, level 3).
import type { Api } from './server-api.ts';

export async function hireForGlass(
  api: Api,
  hires: readonly { idTechnician: number; displayName: string; specialty: string }[],
): Promise<void> {
  await api.post('/api/repair-orders/skills', { data: [{ skillName: 'Glass work', skillLevel: 3 }] });
  const idSkill = await api.skill('Glass work');
  await api.post('/api/opcode-rules', { pattern: 'GLASS*', idSkill, level: 3 });
  for (const hire of hires) {
    await api.post('/api/technicians', hire);
    await api.send('PUT', `/api/technicians/${hire.idTechnician}/skills/${idSkill}`, { level: 3 });
  }
}
