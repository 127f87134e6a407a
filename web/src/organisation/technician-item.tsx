// A technician in their level: dragged as a whole by mouse or finger, by the grip with the keyboard, or moved by the
// menu.
import { type DraggableAttributes, type DraggableSyntheticListeners, useDraggable } from '@dnd-kit/core';
import { GripVertical, MoveRight } from 'lucide-react';
import { type RefCallback, type RefObject, useEffect, useRef } from 'react';
import type { Level, Member } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuChoices } from '../ui/menu.tsx';
import { technicianFacts } from './organisation.ts';

/** After a move by keyboard the technician gets the focus again: another level renders a new element. */
export interface Refocus {
  technician: number;
  on: 'grip' | 'menu';
}

interface TechnicianItemProps {
  member: Member;
  /** Null: no level. */
  level: number | null;
  levels: readonly Level[];
  mayManage: boolean;
  refocus: RefObject<Refocus | null>;
  move(level: number | null): void;
  open(): void;
}

export function TechnicianItem(props: TechnicianItemProps) {
  const { member, level, levels, mayManage, refocus, move, open } = props;
  const { t } = useTranslation();
  const { idTechnician, displayName, specialty, maxSkillName } = member;
  const { setNodeRef, setActivatorNodeRef, listeners, attributes, isDragging } = useDraggable({
    id: idTechnician,
    disabled: !mayManage,
    attributes: { roleDescription: t('organisation.drag.draggable') },
  });
  const { onKeyDown, ...pointers } = listeners ?? {};
  const grip = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const lastMove = refocus.current;
    if (lastMove?.technician !== idTechnician || document.activeElement !== document.body) return;
    (lastMove.on === 'grip' ? grip : menu).current?.focus();
  }, [refocus, idTechnician]);
  return (
    <div
      ref={setNodeRef}
      {...pointers}
      className={`flex min-h-13 items-center gap-1 rounded-md border border-line bg-raised pr-1 ${mayManage ? 'touch-manipulation pl-1 md:cursor-grab' : 'pl-3'} ${isDragging ? 'opacity-40' : ''}`}
    >
      {mayManage && (
        <Grip
          name={displayName}
          attributes={attributes}
          onKeyDown={onKeyDown}
          button={(element) => {
            setActivatorNodeRef(element);
            grip.current = element;
          }}
        />
      )}
      <div className="min-w-0 flex-1 py-1.5">
        <button
          type="button"
          aria-label={t('organisation.openTechnician', { name: displayName })}
          onClick={open}
          className="block max-w-full cursor-pointer rounded-sm text-left text-14 font-medium break-words hover:text-accent hover:underline pointer-coarse:min-h-6"
        >
          {displayName}
        </button>
        <p className="text-12 break-words text-quiet">{technicianFacts(specialty, maxSkillName)}</p>
      </div>
      {mayManage && <MoveMenu name={displayName} level={level} levels={levels} button={menu} move={move} />}
    </div>
  );
}

interface GripProps {
  name: string;
  attributes: DraggableAttributes;
  onKeyDown: NonNullable<DraggableSyntheticListeners>[string] | undefined;
  button: RefCallback<HTMLButtonElement>;
}

/** By which the keyboard drags. */
function Grip({ name, attributes, onKeyDown, button }: GripProps) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      ref={button}
      {...attributes}
      onKeyDown={(event) => onKeyDown?.(event)}
      aria-label={t('organisation.drag.handle', { name })}
      className="grid size-8 shrink-0 cursor-grab place-items-center rounded-md text-quiet hover:bg-sunken hover:text-ink max-md:size-11 pointer-coarse:size-11"
    >
      <GripVertical aria-hidden className="size-4" />
    </button>
  );
}

interface MoveMenuProps extends Pick<TechnicianItemProps, 'level' | 'levels' | 'move'> {
  name: string;
  button: RefObject<HTMLButtonElement | null>;
}

const NO_LEVEL = 'none';

function MoveMenu({ name, level, levels, button, move }: MoveMenuProps) {
  const { t } = useTranslation();
  const title = t('organisation.moveTo');
  return (
    <Menu
      trigger={
        <IconButton ref={button} label={t('organisation.moveOf', { name })} title={title}>
          <MoveRight aria-hidden className="size-4" />
        </IconButton>
      }
    >
      <MenuChoices
        label={title}
        choices={[
          ...levels.map(({ idLevel, name: text }) => ({ value: String(idLevel), text })),
          { value: NO_LEVEL, text: t('organisation.unplaced') },
        ]}
        chosen={level === null ? NO_LEVEL : String(level)}
        choose={(value) => {
          const to = value === NO_LEVEL ? null : Number(value);
          if (to !== level) move(to);
        }}
      />
    </Menu>
  );
}
