// The query of the organisation (technicians by level), which reloads when the server announces a change; and the
// mutation that moves a technician.
import {
  type QueryClient,
  queryOptions,
  useMutation,
  useMutationState,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { onSocketMessage } from '../api/socket.ts';
import { fetchStoryKinds } from '../api/tech-stories.ts';
import {
  changeTechnician,
  fetchOrganisation,
  fetchRules,
  fetchWorkKinds,
  type Member,
  type Organisation,
} from '../api/technicians.ts';
import { failureDetail } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { skills } from '../repair-order/skills.ts';
import { technicians } from '../repair-order/technicians.ts';
import { showToast } from '../ui/toaster.ts';

export const organisation = queryOptions({
  queryKey: ['organisation'],
  queryFn: ({ signal }) => fetchOrganisation(signal),
});

export const rules = queryOptions({
  queryKey: ['opcode-rules'],
  queryFn: ({ signal }) => fetchRules(signal),
});

export const storyKinds = queryOptions({
  queryKey: ['story-kinds'],
  queryFn: ({ signal }) => fetchStoryKinds(signal),
});

export const workKinds = queryOptions({
  queryKey: ['work-kinds'],
  queryFn: ({ signal }) => fetchWorkKinds(signal),
});

/** A load under way is restarted: it may have been answered before the change. */
export async function reloadOrganisation(client: QueryClient): Promise<void> {
  const all = [organisation, rules, workKinds, storyKinds, skills, technicians];
  await Promise.all(all.map(({ queryKey }) => client.invalidateQueries({ queryKey })));
}

export function useLiveOrganisation(): void {
  const client = useQueryClient();
  // Also called at each new connection: changes during an outage are not replayed.
  useEffect(() => onSocketMessage('TECHNICIANS_CHANGED', () => void reloadOrganisation(client)), [client]);
}

/** `level`: null for the technicians without a level. */
export interface Move {
  technician: number;
  level: number | null;
}

const MOVE_MUTATION_KEY = ['organisation', 'move'];

/**
 * Moves a technician optimistically: the move overlays the server's data until it is saved, and disappears when it is
 * refused.
 */
export function useMove(): (move: Move) => void {
  const client = useQueryClient();
  const { t } = useTranslation();
  const named = (level: number | null) =>
    client.getQueryData(organisation.queryKey)?.levels.find(({ idLevel }) => idLevel === level)?.name ??
    t('organisation.unplaced');
  const { mutate } = useMutation({
    mutationKey: MOVE_MUTATION_KEY,
    // Moves are sent one after another, so that the last one wins.
    scope: { id: 'organisation' },
    mutationFn: async ({ technician, level }: Move) => {
      // The moves before it are made, and loaded: the server has the level that Undo restores.
      const before = memberAt(client, technician);
      await changeTechnician(technician, { idLevel: level });
      return before;
    },
    onSuccess: async ({ name, level: from }, { technician, level }) => {
      await reloadOrganisation(client);
      showToast({
        text: t('organisation.moved', { name, level: named(level) }),
        action: {
          label: t('undo.undo'),
          otherWay: t('organisation.moveTo'),
          run: () => mutate({ technician, level: from }),
        },
      });
    },
    onError: (failure, { technician }) => {
      const text = t('organisation.failed.move', { name: memberAt(client, technician).name });
      showToast({ tone: 'destructive', text, ...failureDetail(failure, t) });
      void reloadOrganisation(client);
    },
  });
  return mutate;
}

function memberAt(client: QueryClient, technician: number): { name: string; level: number | null } {
  const current = client.getQueryData(organisation.queryKey);
  return {
    name: memberOf(current, technician)?.displayName ?? '',
    level: current === undefined ? null : levelOf(current, technician),
  };
}

/** The organisation with the pending moves applied. */
export function useOrganisationWithMoves(current: Organisation | undefined): Organisation | undefined {
  const moves = useMutationState({
    filters: { mutationKey: MOVE_MUTATION_KEY, status: 'pending' },
    select: ({ state }) => state.variables,
  });
  return current && moves.filter(isMove).reduce(applyMove, current);
}

function isMove(variables: unknown): variables is Move {
  return typeof variables === 'object' && variables !== null && 'technician' in variables;
}

export function applyMove(current: Organisation, { technician, level }: Move): Organisation {
  const member = memberOf(current, technician);
  if (member === undefined || levelOf(current, technician) === level) return current;
  const withMember = (idLevel: number | null, all: readonly Member[]) => {
    const others = all.filter((one) => one.idTechnician !== technician);
    return idLevel === level ? [...others, { ...member, idLevel }].toSorted(byName) : others;
  };
  return {
    levels: current.levels.map((one) => ({ ...one, technicians: withMember(one.idLevel, one.technicians) })),
    unplaced: withMember(null, current.unplaced),
  };
}

const byName = (a: Member, b: Member) =>
  a.displayName.localeCompare(b.displayName) || a.idTechnician - b.idTechnician;

export function allMembers({ levels, unplaced }: Organisation): Member[] {
  return [...levels.flatMap((level) => level.technicians), ...unplaced];
}

export function memberOf(current: Organisation | undefined, technician: number): Member | undefined {
  return current && allMembers(current).find((one) => one.idTechnician === technician);
}

/** Null: no level. */
export function levelOf({ levels }: Organisation, technician: number): number | null {
  const found = levels.find((level) => level.technicians.some((one) => one.idTechnician === technician));
  return found?.idLevel ?? null;
}

/** A skill that begins with the specialty's name says both. */
export function technicianFacts(specialty: string, maxSkillName: string | null): string {
  const skill = maxSkillName ?? '';
  if (skill.toLowerCase().startsWith(specialty.toLowerCase())) return skill;
  return [specialty, skill].filter((one) => one !== '').join(' · ');
}
