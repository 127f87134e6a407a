// Shows the orders as a list or in columns by stage.
import { List, SquareKanban } from 'lucide-react';
import { ToggleGroup } from 'radix-ui';
import { useTranslation } from '../i18n/use-translation.ts';
import { IconButton } from '../ui/button.tsx';
import { useScreenTool } from '../ui/screen-tools.ts';
import { type Presentation, presentations } from './remembered-choices.ts';

interface PresentationToggleProps {
  presentation: Presentation;
  choose(presentation: Presentation): void;
  narrow: boolean;
}

const glyphs = { list: List, stages: SquareKanban } as const;
const otherText = { list: 'stages.board.showList', stages: 'stages.board.showStages' } as const;

export function PresentationToggle({ presentation, choose, narrow }: PresentationToggleProps) {
  const { t } = useTranslation();
  const other = presentation === 'list' ? 'stages' : 'list';
  const OtherGlyph = glyphs[other];
  const text = t(otherText[other]);
  useScreenTool({ id: 'presentation', glyph: OtherGlyph, text }, () => choose(other));
  if (narrow) {
    return (
      <IconButton label={text} onClick={() => choose(other)}>
        <OtherGlyph aria-hidden className="size-5" />
      </IconButton>
    );
  }
  return (
    <ToggleGroup.Root
      type="single"
      value={presentation}
      aria-label={t('stages.board.switch')}
      onValueChange={(value) => {
        // An empty value means the chosen one was pressed again; one is always chosen.
        const chosen = presentations.find((one) => one === value);
        if (chosen !== undefined) choose(chosen);
      }}
      // As wide in each language, so that its place can be kept before its texts are here.
      className="flex w-19 shrink-0 rounded-md border border-line bg-raised p-0.5 xl:w-42"
    >
      {presentations.map((one) => {
        const Glyph = glyphs[one];
        return (
          <ToggleGroup.Item
            key={one}
            value={one}
            title={t(otherText[one])}
            className="inline-flex h-7.5 flex-auto items-center justify-center gap-1.5 rounded-sm px-1.5 text-13 text-quiet hover:text-ink aria-checked:bg-sunken aria-checked:font-medium aria-checked:text-ink pointer-coarse:h-11"
          >
            <Glyph aria-hidden className="size-4" />
            {/* Without room for the words the line would be two. */}
            <span className="max-xl:sr-only">{t(`stages.board.${one}`)}</span>
          </ToggleGroup.Item>
        );
      })}
    </ToggleGroup.Root>
  );
}
