// The screen as a file for a spreadsheet: one line for each figure's subject, so that it can be filtered and added up by.
import type { TFunction } from 'i18next';
import type { TimeInStages } from '../api/stages.ts';
import { csvText } from '../ui/csv.ts';

interface CsvContext {
  t: TFunction;
  /** What a stage is called; null: it is not known. */
  nameOf(stage: string | null): string;
}

const HOUR_MS = 3_600_000;

/** To the hundredth, with a point in every language. */
const hours = (ms: number) => (ms / HOUR_MS).toFixed(2);
const hoursOr = (ms: number | null) => (ms === null ? '' : hours(ms));

export function toCsv(totals: TimeInStages, { t, nameOf }: CsvContext): string {
  const { days, stages, technicians, advisors } = totals;
  const head = (['by', 'name', 'day', 'stage', 'hours', 'cars', 'ended', 'goingOn', 'tooLong'] as const).map(
    (field) => t(`stageTimes.csv.${field}`),
  );
  const nobody = t('stageTimes.nobody');
  return csvText([
    [...head, t('stageTimes.csv.median'), t('stageTimes.csv.p90')],
    ...stages.map(({ stage, totalMs, cars, stays }) => [
      t('stageTimes.csv.byStage'),
      '',
      '',
      nameOf(stage),
      hours(totalMs),
      String(cars),
      String(stays.ended),
      String(stays.goingOn),
      String(stays.tooLong),
      hoursOr(stays.medianMs),
      hoursOr(stays.p90Ms),
    ]),
    ...days.flatMap((day, place) =>
      stages
        .filter(({ byDayMs }) => (byDayMs[place] ?? 0) > 0)
        .map(({ stage, byDayMs }) =>
          line(t('stageTimes.csv.byDay'), '', day, nameOf(stage), byDayMs[place] ?? 0),
        ),
    ),
    ...technicians.flatMap(({ name, stages }) =>
      stages.map(({ stage, totalMs }) =>
        line(t('stageTimes.csv.byTechnician'), name ?? nobody, '', nameOf(stage), totalMs),
      ),
    ),
    ...advisors.flatMap(({ name, stages }) =>
      stages.map(({ stage, totalMs }) =>
        line(t('stageTimes.csv.byAdvisor'), name ?? nobody, '', nameOf(stage), totalMs),
      ),
    ),
  ]);
}

/** The figures of stays are those of a stage alone. */
function line(by: string, name: string, day: string, stage: string, ms: number): string[] {
  return [by, name, day, stage, hours(ms), '', '', '', '', '', ''];
}
