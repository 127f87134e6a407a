// Stages for tests, as the server sends them.
import type { ShopStages, WorkStage } from '../api/stages.ts';

export function stage(id: string, changes: Partial<WorkStage> = {}): WorkStage {
  return {
    id,
    name: { en: id, de: `${id} (de)`, es: `${id} (es)` },
    kind: 'queue',
    colour: 'grey',
    tooLongMinutes: null,
    deleted: false,
    ...changes,
  };
}

export const someStages: ShopStages = {
  enabled: true,
  fileOwnsStage: false,
  stages: [
    stage('to-be-dispatched', { name: names('To be dispatched'), tooLongMinutes: 60 }),
    stage('in-diagnosis', { name: names('In diagnosis'), kind: 'active', colour: 'violet' }),
    stage('waiting-for-parts', { name: names('Waiting for parts'), kind: 'hold', colour: 'amber' }),
    stage('in-work', { name: names('In work'), kind: 'active', colour: 'teal' }),
    stage('polish', { name: names('Polish'), deleted: true }),
    stage('ready', { name: names('Ready'), kind: 'done', colour: 'green' }),
  ],
};

function names(en: string): WorkStage['name'] {
  return { en, de: `${en} (de)`, es: `${en} (es)` };
}
