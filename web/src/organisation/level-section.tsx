// A level of the organisation: its technicians and actions. A technician can be dropped on it, expanded or not.
import { useDroppable } from '@dnd-kit/core';
import { ChevronDown, Ellipsis } from 'lucide-react';
import { Children, type ReactNode, useId, useState } from 'react';
import { changeLevel, deleteLevel, hasErrorCode, type Level } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { UNPLACED } from './drag-and-drop.ts';
import { LevelDialog } from './level-dialog.tsx';
import { useOrganisationMutation } from './mutations.ts';

interface LevelSectionProps {
  /** Null: the technicians without a level. */
  level: Level | null;
  levels: readonly Level[];
  count: number;
  isOpen: boolean;
  toggle(): void;
  mayManage: boolean;
  children: ReactNode;
}

export function LevelSection(props: LevelSectionProps) {
  const { level, levels, count, isOpen, toggle, mayManage, children } = props;
  const { t } = useTranslation();
  const id = useId();
  const { setNodeRef, isOver } = useDroppable({ id: level?.idLevel ?? UNPLACED });
  const name = level?.name ?? t('organisation.unplaced');
  const shown = Children.count(children);
  return (
    <li
      ref={setNodeRef}
      data-level={level?.idLevel ?? UNPLACED}
      className={`rounded-lg border ${isOver ? 'border-accent bg-accent-tint' : level === null ? 'border-dashed border-line-strong' : 'border-line bg-raised'}`}
    >
      <div className="flex min-h-10 items-center gap-1 pr-1">
        {count === 0 ? (
          <div className="flex min-h-10 min-w-0 flex-1 flex-wrap items-baseline gap-x-3 py-2.5 pr-3 pl-9 text-13">
            <h2 className="text-14 font-semibold break-words">{name}</h2>
            <p className="text-quiet">
              {t(level === null ? 'organisation.allPlaced' : 'organisation.emptyLevel')}
            </p>
          </div>
        ) : (
          <h2 className="min-w-0 flex-1">
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={id}
              onClick={toggle}
              className="flex min-h-10 w-full items-center gap-2 rounded-lg px-3 text-left text-14 font-semibold max-md:min-h-11 pointer-coarse:min-h-11"
            >
              <ChevronDown
                aria-hidden
                className={`size-4 shrink-0 text-quiet transition-transform ${isOpen ? '' : '-rotate-90'}`}
              />
              <span className="min-w-0 break-words">{name}</span>
              <span className="shrink-0 text-12 font-normal text-quiet">
                {t('organisation.count', { count })}
              </span>
            </button>
          </h2>
        )}
        {level !== null && mayManage && <LevelMenu level={level} levels={levels} />}
      </div>
      {count > 0 && (
        <div id={id} hidden={!isOpen} className="px-2 pb-2">
          {shown > 0 ? (
            <ul
              aria-label={t('organisation.techniciansOf', { level: name })}
              className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,13.5rem),1fr))] gap-1.5"
            >
              {children}
            </ul>
          ) : (
            <p className="px-2 pb-1 text-13 text-quiet">{t('organisation.noneFound')}</p>
          )}
        </div>
      )}
    </li>
  );
}

function LevelMenu({ level, levels }: { level: Level; levels: readonly Level[] }) {
  const { t } = useTranslation();
  const { run: mutate } = useOrganisationMutation();
  const [renaming, setRenaming] = useState(false);
  const { idLevel, name } = level;
  const at = levels.findIndex((one) => one.idLevel === idLevel);
  const moveTo = (neighbour: Level | undefined) => {
    if (neighbour === undefined) return;
    void mutate({
      work: () => changeLevel(idLevel, { position: neighbour.position }),
      failed: t('organisation.failed.level', { level: name }),
    });
  };
  const remove = () =>
    void mutate({
      work: () => deleteLevel(idLevel),
      done: t('organisation.level.deleted', { level: name }),
      failed: t('organisation.failed.deleteLevel', { level: name }),
      explained: (failure) =>
        hasErrorCode(failure, 'level-in-use') ? t('organisation.level.inUse', { level: name }) : null,
    });
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t('organisation.level.menu', { level: name })}>
            <Ellipsis aria-hidden className="size-4" />
          </IconButton>
        }
      >
        <MenuItem act={() => setRenaming(true)}>{t('organisation.level.rename')}</MenuItem>
        <MenuItem disabled={at <= 0} act={() => moveTo(levels[at - 1])}>
          {t('organisation.level.up')}
        </MenuItem>
        <MenuItem disabled={at >= levels.length - 1} act={() => moveTo(levels[at + 1])}>
          {t('organisation.level.down')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem destructive act={remove}>
          {t('organisation.level.delete')}
        </MenuItem>
      </Menu>
      {renaming && <LevelDialog level={level} close={() => setRenaming(false)} />}
    </>
  );
}
