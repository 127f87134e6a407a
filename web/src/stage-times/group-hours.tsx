// The hours by technician or by advisor: a bar of the stages in which their cars stood, and where they stood the longest.
// On a phone as a list.
import { useTranslation } from '../i18n/use-translation.ts';
import type { Stages } from '../repair-order/stages.ts';
import { useNarrow } from '../ui/media.ts';
import { cell, Figure, Head, outer, Section } from './section.tsx';
import { Bar, useStageDrawing } from './stage-drawing.tsx';
import { byHours, type GroupTime, hoursText, knownMs, longest } from './totals.ts';

interface GroupHoursProps {
  title: string;
  note: string;
  /** Of the column with the names. */
  who: string;
  groups: readonly (GroupTime & { key: string })[];
  stages: Stages;
}

export function GroupHours({ title, note, groups, ...table }: GroupHoursProps) {
  const { t } = useTranslation();
  const narrow = useNarrow();
  const Groups = narrow ? List : Table;
  const isPartlyUnknown = groups.some(({ stages, totalMs }) => knownMs(stages) < totalMs);
  return (
    <Section title={title} note={isPartlyUnknown ? `${note} ${t('stageTimes.barsNote')}` : note}>
      <Groups title={title} groups={byHours(groups)} {...table} />
    </Section>
  );
}

type RowsProps = Omit<GroupHoursProps, 'note'>;

/** Of somebody: what nobody had is often so much that nothing else would be seen beside it. */
const maxOf = (groups: RowsProps['groups']) =>
  Math.max(0, ...groups.map(({ name, stages }) => (name === null ? 0 : knownMs(stages))));

function Table({ title, who, groups, stages }: RowsProps) {
  const { t, locale } = useTranslation();
  const maxMs = maxOf(groups);
  return (
    <table aria-label={title} className="w-full border-separate border-spacing-0">
      <thead>
        <tr>
          <Head className={`w-52 ${outer.first}`}>{who}</Head>
          <Head number className="w-20">
            {t('stageTimes.column.hours')}
          </Head>
          <Head>{t('stageTimes.byStage')}</Head>
          <Head number className="w-16">
            {t('stageTimes.column.cars')}
          </Head>
          <Head className={`w-72 ${outer.last}`}>{t('stageTimes.column.longest')}</Head>
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <tr key={group.key} className="hover:bg-sunken/60">
            <th scope="row" className={`${cell} ${outer.first} text-left font-medium`}>
              <Name group={group} />
            </th>
            <Figure className="font-medium">{hoursText(group.totalMs, locale)}</Figure>
            <td className={`${cell} min-w-24`}>
              <StageBar group={group} maxMs={maxMs} stages={stages} />
            </td>
            <Figure>{group.cars}</Figure>
            <td className={`${cell} ${outer.last}`}>
              <Longest group={group} stages={stages} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Name({ group: { name } }: { group: GroupTime }) {
  const { t } = useTranslation();
  return name === null ? (
    <span className="font-normal text-quiet">{t('stageTimes.nobody')}</span>
  ) : (
    <span className="break-words">{name}</span>
  );
}

interface GroupProps {
  group: GroupTime;
  stages: Stages;
}

/** For screen readers its stages in words. What nobody had, and where nothing is known, is on no scale, and not drawn. */
function StageBar({ group, maxMs, stages }: GroupProps & { maxMs: number }) {
  const { t, locale } = useTranslation();
  const { nameOf, fillOf } = useStageDrawing(stages);
  const pieces = group.stages.map(({ stage, totalMs }) => ({
    stage,
    key: stage ?? '',
    ms: totalMs,
    fill: fillOf(stage),
    title: t('stageTimes.stageHours', { stage: nameOf(stage), hours: hoursText(totalMs, locale) }),
  }));
  const known = pieces.filter(({ stage }) => stage !== null);
  return (
    <>
      {group.name !== null && known.length > 0 && <Bar pieces={known} maxMs={maxMs} />}
      <span className="sr-only">{pieces.map(({ title }) => title).join(', ')}</span>
    </>
  );
}

function Longest({ group, stages }: GroupProps) {
  const { t, locale } = useTranslation();
  const { nameOf, fillOf } = useStageDrawing(stages);
  const most = longest(group);
  if (most === undefined) return null;
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span aria-hidden className={`size-2.5 shrink-0 rounded-full ${fillOf(most.stage)}`} />
      <span className="min-w-0 break-words">
        {t('stageTimes.stageHours', { stage: nameOf(most.stage), hours: hoursText(most.totalMs, locale) })}
      </span>
    </span>
  );
}

function List({ title, groups, stages }: RowsProps) {
  const { t, locale } = useTranslation();
  const maxMs = maxOf(groups);
  return (
    <ul aria-label={title} className="flex flex-col gap-3 px-3 pt-1 pb-3">
      {groups.map((group) => (
        <li key={group.key} className="flex flex-col gap-1">
          <p className="flex items-baseline justify-between gap-3 text-14">
            <Name group={group} />
            <span className="shrink-0 font-medium tabular-nums">
              {t('stageTimes.hours', { hours: hoursText(group.totalMs, locale) })}
            </span>
          </p>
          <StageBar group={group} maxMs={maxMs} stages={stages} />
          <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-12 text-quiet">
            <span>{t('stageTimes.cars', { count: group.cars })}</span>
            <Longest group={group} stages={stages} />
          </div>
        </li>
      ))}
    </ul>
  );
}
