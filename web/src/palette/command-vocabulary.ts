// The vocabulary of commands: the words of the page's language, and English everywhere.
import type { TFunction } from 'i18next';
import type { Priority } from '../api/repair-orders.ts';
import { en } from '../i18n/en.ts';
import { byDisplayedStatus, type DisplayedStatus } from '../repair-order/statuses.ts';
import type { Verb, Vocabulary } from './commands.ts';

export function vocabularyOf(t: TFunction): Vocabulary {
  const verb = (one: Verb) => [...phrases(t(`palette.verb.${one}`)), ...phrases(en.palette.verb[one])];
  const status = (one: DisplayedStatus) => [t(`status.${one}`), en.status[one]];
  const priority = (one: Priority) => [t(`priority.${one}`), en.priority[one]];
  return {
    verbs: {
      details: verb('details'),
      status: verb('status'),
      priority: verb('priority'),
      dispatch: verb('dispatch'),
      reassign: verb('reassign'),
      add: verb('add'),
      remove: verb('remove'),
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
    fillers: [...phrases(t('palette.fillers')), ...phrases(en.palette.fillers)],
  };
}

function phrases(text: string): string[] {
  return text.split(',').map((phrase) => phrase.trim());
}
