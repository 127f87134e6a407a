// The calls about technicians: their workload, the organisation they sit in, their skills, and which skill an opcode
// asks for.
import type { ErrorCode } from './error-code.ts';
import { ApiError, http, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';

type Schemas = components['schemas'];

/** A technician, the counts of the open orders they are on, their hours and their clock. */
export type Workload = Omit<Schemas['TechnicianAssignments'], 'assignments'>;
export type Organisation = Schemas['Chart'];
export type Level = Schemas['OrganisationLevel'];
/** A technician as the organisation has them. */
export type Member = Schemas['Technician'];
export type MemberSkill = Member['skills'][number];
export type OpcodeRule = Schemas['OpcodeRule'];

/** The workload of every technician, without the orders' rows. */
export async function fetchWorkload(signal?: AbortSignal): Promise<Workload[]> {
  const answer = await unwrapAnswer(
    http.GET('/api/repair-orders/technician-assignments', { params: { query: { rows: false } }, signal }),
  );
  return answer.result;
}

/** A closed order of a technician, and which of its stories they still owe. */
export type ClosedOrder = Schemas['ClosedOrderOfTechnician'];

/** Those of the last days, the newest first. */
export async function fetchClosedOrders(
  id: number,
  days: number,
  signal?: AbortSignal,
): Promise<ClosedOrder[]> {
  const params = { path: { id: String(id) }, query: { days } };
  return (await unwrapAnswer(http.GET('/api/technicians/{id}/closed-orders', { params, signal }))).result;
}

export async function fetchOrganisation(signal?: AbortSignal): Promise<Organisation> {
  return (await unwrapAnswer(http.GET('/api/organisation', { signal }))).result;
}

export type NewTechnician = Schemas['NewTechnician'];
/**
 * The fields of a technician that can be changed; a missing field keeps its value. `idLevel` null: no level.
 */
export type TechnicianChange = Partial<Pick<Member, 'displayName' | 'specialty' | 'dailyHours' | 'idLevel'>>;

export async function addTechnician(body: NewTechnician): Promise<void> {
  await unwrapAnswer(http.POST('/api/technicians', { body }));
}

export async function changeTechnician(id: number, body: TechnicianChange): Promise<void> {
  await unwrapAnswer(http.PATCH('/api/technicians/{id}', { params: { path: { id: String(id) } }, body }));
}

export async function deleteTechnician(id: number): Promise<void> {
  await unwrapAnswer(http.DELETE('/api/technicians/{id}', { params: { path: { id: String(id) } } }));
}

export async function addLevel(name: string): Promise<void> {
  await unwrapAnswer(http.POST('/api/organisation/levels', { body: { name } }));
}

export async function changeLevel(id: number, body: { name?: string; position?: number }): Promise<void> {
  await unwrapAnswer(
    http.PATCH('/api/organisation/levels/{idLevel}', { params: { path: { idLevel: String(id) } }, body }),
  );
}

export async function deleteLevel(id: number): Promise<void> {
  await unwrapAnswer(
    http.DELETE('/api/organisation/levels/{idLevel}', { params: { path: { idLevel: String(id) } } }),
  );
}

/** Gives the technician the skill, or changes its level. */
export async function setTechnicianSkill(id: number, idSkill: number, level?: number): Promise<void> {
  const path = { id: String(id), idSkill: String(idSkill) };
  const body = level === undefined ? {} : { level };
  await unwrapAnswer(http.PUT('/api/technicians/{id}/skills/{idSkill}', { params: { path }, body }));
}

export async function removeTechnicianSkill(id: number, idSkill: number): Promise<void> {
  const path = { id: String(id), idSkill: String(idSkill) };
  await unwrapAnswer(http.DELETE('/api/technicians/{id}/skills/{idSkill}', { params: { path } }));
}

/** `skillKind`: empty where it is of none. */
export async function addSkill(skill: {
  skillName: string;
  skillLevel: number;
  skillKind: string;
}): Promise<void> {
  await unwrapAnswer(http.POST('/api/repair-orders/skills', { body: { data: [skill] } }));
}

export async function changeSkill(
  idSkill: number,
  body: { skillName?: string; skillLevel?: number; skillKind?: string },
): Promise<void> {
  const path = { idSkill: String(idSkill) };
  await unwrapAnswer(http.PATCH('/api/repair-orders/skills/{idSkill}', { params: { path }, body }));
}

/** `evenIfUsed`: technicians lose it, and rules that ask for it go. */
export async function deleteSkill(idSkill: number, evenIfUsed: boolean): Promise<void> {
  const params = { path: { idSkill: String(idSkill) }, query: { evenIfUsed } };
  await unwrapAnswer(http.DELETE('/api/repair-orders/skills/{idSkill}', { params }));
}

export async function fetchRules(signal?: AbortSignal): Promise<OpcodeRule[]> {
  return (await unwrapAnswer(http.GET('/api/opcode-rules', { signal }))).result;
}

type WorkKind = components['schemas']['WorkKindOfCode'];
/** What jobs of an opcode may be, as the shop says. */
export type CodeKind = WorkKind['kind'];

export async function fetchWorkKinds(signal?: AbortSignal): Promise<WorkKind[]> {
  return (await unwrapAnswer(http.GET('/api/work-kinds', { signal }))).result;
}

/** `kind`: one of those that the page offers; null takes the entry away. */
export async function putWorkKind(pattern: string, kind: string | null): Promise<void> {
  await unwrapAnswer(http.PUT('/api/work-kinds', { body: { pattern, kind: kind as CodeKind | null } }));
}

export type RuleDraft = Pick<OpcodeRule, 'pattern' | 'idSkill' | 'level'>;

export async function addRule(body: RuleDraft): Promise<void> {
  await unwrapAnswer(http.POST('/api/opcode-rules', { body }));
}

export async function changeRule(id: number, body: Partial<RuleDraft>): Promise<void> {
  await unwrapAnswer(
    http.PATCH('/api/opcode-rules/{idRule}', { params: { path: { idRule: String(id) } }, body }),
  );
}

export async function deleteRule(id: number): Promise<void> {
  await unwrapAnswer(http.DELETE('/api/opcode-rules/{idRule}', { params: { path: { idRule: String(id) } } }));
}

/** Whether the server refused with that error code. */
export function hasErrorCode(failure: unknown, code: ErrorCode): boolean {
  return failure instanceof ApiError && failure.code === code;
}
