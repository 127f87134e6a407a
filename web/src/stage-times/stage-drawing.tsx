// How a stage looks on this screen: a dot with its name, and a piece of a bar.
import { useTranslation } from '../i18n/use-translation.ts';
import { type Stages, stageAppearance, stageNameById } from '../repair-order/stages.ts';

interface StageDrawing {
  /** Null: it is not known where the cars stood. */
  nameOf(stage: string | null): string;
  fillOf(stage: string | null): string;
}

/** Hatched, so that it is no stage's colour. */
const NOT_KNOWN =
  'bg-[repeating-linear-gradient(135deg,currentColor_0_2px,transparent_2px_4px)] text-line-strong';

export function useStageDrawing(stages: Stages): StageDrawing {
  const { t, language } = useTranslation();
  return {
    nameOf: (stage) => (stage === null ? t('stageTimes.notKnown') : stageNameById(stages, stage, language)),
    fillOf: (stage) =>
      stage === null ? NOT_KNOWN : stageAppearance[stages.byId.get(stage)?.colour ?? 'grey'].fill,
  };
}

export function StageName({ stage, stages }: { stage: string | null; stages: Stages }) {
  const { nameOf, fillOf } = useStageDrawing(stages);
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span aria-hidden className={`size-2.5 shrink-0 rounded-full ${fillOf(stage)}`} />
      <span className="min-w-0 break-words">{nameOf(stage)}</span>
    </span>
  );
}

interface BarPiece {
  key: string;
  ms: number;
  fill: string;
  title: string;
}

/** Its pieces on the scale of all bars of a table. The words beside it say the same. */
export function Bar({ pieces, maxMs }: { pieces: readonly BarPiece[]; maxMs: number }) {
  const totalMs = pieces.reduce((sum, { ms }) => sum + ms, 0);
  // A car that came by for a minute is drawn, too.
  const width = `max(2px, ${maxMs === 0 ? 0 : (100 * totalMs) / maxMs}%)`;
  return (
    <span aria-hidden className="block h-3.5">
      <span className="flex h-full gap-px overflow-hidden rounded-sm" style={{ width }}>
        {pieces
          .filter(({ ms }) => ms > 0)
          .map(({ key, ms, fill, title }) => (
            <span key={key} title={title} style={{ flexGrow: ms }} className={`basis-0 ${fill}`} />
          ))}
      </span>
    </span>
  );
}
