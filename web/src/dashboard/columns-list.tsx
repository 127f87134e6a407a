import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { OpenedPopover } from '../ui/opened-popover.tsx';
import type { Opened } from '../ui/opener.ts';
import {
  type ColumnId,
  canMove,
  defaultLayout,
  FIXED_COLUMN,
  type Layout,
  layoutText,
  moveColumn,
  shownColumns,
  toggleColumn,
} from './column-layout.ts';

export interface ColumnsMenuProps {
  layout: Layout;
  choose(layout: Layout): void;
}

/** Which columns are shown, and in which order. */
export function ColumnsList({ opened, layout, choose }: ColumnsMenuProps & { opened: Opened }) {
  const { t } = useTranslation();
  return (
    <OpenedPopover opened={opened} label={t('table.columns')} className="w-64 p-1.5">
      <ul>
        {layout.map(({ id }) => (
          <ColumnItem key={id} id={id} layout={layout} choose={choose} />
        ))}
      </ul>
      <div className="mt-1.5 border-t border-line pt-1.5">
        <Button
          onClick={() => choose(defaultLayout)}
          disabled={layoutText(layout) === ''}
          className="w-full border-transparent text-13"
        >
          {t('table.resetColumns')}
        </Button>
      </div>
    </OpenedPopover>
  );
}

function ColumnItem({ id, layout, choose }: ColumnsMenuProps & { id: ColumnId }) {
  const { t } = useTranslation();
  const column = t(`column.${id}`);
  const isFixed = id === FIXED_COLUMN;
  return (
    <li className="flex items-center rounded-md pr-1 hover:bg-sunken pointer-coarse:h-11">
      <label className="flex min-w-0 flex-1 items-center gap-2.5 py-1.5 pl-2.5 text-13">
        <input
          type="checkbox"
          checked={shownColumns(layout).includes(id)}
          disabled={isFixed}
          onChange={() => choose(toggleColumn(layout, id))}
          className="size-4 accent-accent"
        />
        <span className="truncate">{column}</span>
      </label>
      {!isFixed && (
        <>
          <MoveButton
            label={t('table.moveForward', { column })}
            able={canMove(layout, id, -1)}
            move={() => choose(moveColumn(layout, id, -1))}
            glyph={ArrowUp}
          />
          <MoveButton
            label={t('table.moveBack', { column })}
            able={canMove(layout, id, 1)}
            move={() => choose(moveColumn(layout, id, 1))}
            glyph={ArrowDown}
          />
        </>
      )}
    </li>
  );
}

interface MoveButtonProps {
  label: string;
  able: boolean;
  move: () => void;
  glyph: typeof ArrowUp;
}

/** Not disabled at the ends: the focus stays on the button while a column is moved step by step. */
function MoveButton({ label, able, move, glyph: Glyph }: MoveButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={!able}
      onClick={move}
      className="grid size-7 shrink-0 place-items-center rounded-md text-quiet hover:bg-line hover:text-ink aria-disabled:opacity-30 pointer-coarse:size-11"
    >
      <Glyph aria-hidden className="size-4" />
    </button>
  );
}
