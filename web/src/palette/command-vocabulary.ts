// The vocabulary of commands: the words of the page's language, and English everywhere.
import type { TFunction } from 'i18next';
import type { Priority } from '../api/repair-orders.ts';
import { en } from '../i18n/en.ts';
import { i18n } from '../i18n/i18n.ts';
import { paletteEn } from '../i18n/palette.en.ts';
import { type Stages, stageAppearance, stageName } from '../repair-order/stages.ts';
import { byDisplayedStatus, type DisplayedStatus } from '../repair-order/statuses.ts';
import type { Verb, Vocabulary } from './commands.ts';

/** `stages`: null where the shop uses none; then no word is about them. */
export function vocabularyOf(t: TFunction, stages: Stages | null = null, language = 'en'): Vocabulary {
  const verb = (one: Exclude<Verb, 'stage' | 'hold' | 'endHold'>) => [
    ...phrases(t(`palette.verb.${one}`)),
    ...phrases(paletteEn.palette.verb[one]),
  ];
  const status = (one: DisplayedStatus) => [t(`status.${one}`), en.status[one]];
  const priority = (one: Priority) => [t(`priority.${one}`), en.priority[one]];
  const inEnglish = i18n.getFixedT('en');
  const stageVerb = (one: 'stage' | 'hold' | 'endHold') =>
    stages === null
      ? []
      : [...phrases(t(`stages.palette.verb.${one}`)), ...phrases(inEnglish(`stages.palette.verb.${one}`))];
  return {
    verbs: {
      details: verb('details'),
      status: verb('status'),
      priority: verb('priority'),
      dispatch: verb('dispatch'),
      reassign: verb('reassign'),
      add: verb('add'),
      remove: verb('remove'),
      stage: stageVerb('stage'),
      hold: stageVerb('hold'),
      endHold: stageVerb('endHold'),
      copy: verb('copy'),
      story: verb('story'),
    },
    statuses: byDisplayedStatus(status),
    priorities: {
      Waiting: priority('Waiting'),
      High: priority('High'),
      Medium: priority('Medium'),
      Low: priority('Low'),
    },
    stages: (stages?.current ?? []).map((stage) => {
      const name = stageName(stage, language);
      return { id: stage.id, name, words: [name, stage.name.en], ink: stageAppearance[stage.colour].ink };
    }),
    fillers: [...phrases(t('palette.fillers')), ...phrases(paletteEn.palette.fillers)],
  };
}

function phrases(text: string): string[] {
  return text.split(',').map((phrase) => phrase.trim());
}
