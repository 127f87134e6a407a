// A technician in their level: dragged as a whole by mouse or finger, by the grip with the keyboard, or moved by the
// menu.
import { useDraggable } from '@dnd-kit/core';
import { Check, GripVertical, MoveRight } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type RefObject, useEffect, useRef } from 'react';
import type { Level, Member } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { IconButton } from '../ui/button.tsx';
import { landmark } from '../ui/landmark-container.ts';
import { menuClasses, menuItem } from './menu-styles.ts';

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
        <button
          type="button"
          ref={(button) => {
            setActivatorNodeRef(button);
            grip.current = button;
          }}
          {...attributes}
          onKeyDown={(event) => onKeyDown?.(event)}
          aria-label={t('organisation.drag.handle', { name: displayName })}
          className="grid size-8 shrink-0 cursor-grab place-items-center rounded-md text-quiet hover:bg-sunken hover:text-ink max-md:size-11 pointer-coarse:size-11"
        >
          <GripVertical aria-hidden className="size-4" />
        </button>
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
        <p className="truncate text-12 text-quiet" title={technicianFacts(specialty, maxSkillName)}>
          {technicianFacts(specialty, maxSkillName)}
        </p>
      </div>
      {mayManage && (
        <DropdownMenu.Root modal={false}>
          <DropdownMenu.Trigger asChild>
            <IconButton
              ref={menu}
              label={t('organisation.moveOf', { name: displayName })}
              title={t('organisation.moveTo')}
            >
              <MoveRight aria-hidden className="size-4" />
            </IconButton>
          </DropdownMenu.Trigger>
          <DropdownMenu.Portal container={landmark('main')}>
            <DropdownMenu.Content align="end" sideOffset={4} className={menuClasses}>
              <DropdownMenu.Label className="px-2.5 pt-1.5 pb-1 text-12 text-quiet">
                {t('organisation.moveTo')}
              </DropdownMenu.Label>
              <DropdownMenu.RadioGroup value={String(level)}>
                {[
                  ...levels.map(({ idLevel, name }) => ({ to: idLevel, name })),
                  unplaced(t('organisation.unplaced')),
                ].map(({ to, name }) => (
                  <DropdownMenu.RadioItem
                    key={to}
                    value={String(to)}
                    className={menuItem}
                    onSelect={() => {
                      if (to !== level) move(to);
                    }}
                  >
                    {name}
                    <DropdownMenu.ItemIndicator>
                      <Check aria-hidden className="size-4 text-accent" />
                    </DropdownMenu.ItemIndicator>
                  </DropdownMenu.RadioItem>
                ))}
              </DropdownMenu.RadioGroup>
            </DropdownMenu.Content>
          </DropdownMenu.Portal>
        </DropdownMenu.Root>
      )}
    </div>
  );
}

const unplaced = (name: string): { to: number | null; name: string } => ({ to: null, name });

function technicianFacts(specialty: string, maxSkillName: string | null): string {
  return [...new Set([specialty, maxSkillName ?? ''])].filter((one) => one !== '').join(' · ');
}
