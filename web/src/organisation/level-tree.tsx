// The levels from the top down with their technicians, who can be dragged between them.
import { DndContext, DragOverlay } from '@dnd-kit/core';
import { GripVertical } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import type { Member, Organisation } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { announcements, levelDropped, levelUnder, UNPLACED, useDragSensors } from './drag-and-drop.ts';
import { LevelSection } from './level-section.tsx';
import { levelOf, type Move, memberOf } from './organisation.ts';
import { type Refocus, TechnicianItem } from './technician-item.tsx';

interface TreeProps {
  organisation: Organisation;
  /** Whether a technician passes the filter. */
  isShown(member: Member): boolean;
  mayManage: boolean;
  move(move: Move): void;
  open(technician: number): void;
}

export function LevelTree({ organisation, isShown, mayManage, move, open }: TreeProps) {
  const { t } = useTranslation();
  const sensors = useDragSensors();
  const [dragged, drag] = useState<number | null>(null);
  const refocus = useRef<Refocus | null>(null);
  const levelName = (id: number | null) =>
    organisation.levels.find(({ idLevel }) => idLevel === id)?.name ?? t('organisation.unplaced');
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={levelUnder}
      accessibility={{
        announcements: announcements(t, {
          technician: (id) => memberOf(organisation, Number(id))?.displayName ?? '',
          levelOf: (id) => levelOf(organisation, Number(id)) ?? UNPLACED,
          level: (id) => levelName(levelDropped(id)),
        }),
        screenReaderInstructions: { draggable: t('organisation.drag.instructions') },
      }}
      onDragStart={({ active }) => drag(Number(active.id))}
      onDragCancel={() => drag(null)}
      onDragEnd={({ active, over, activatorEvent }) => {
        drag(null);
        if (over === null) return;
        const technician = Number(active.id);
        const level = levelDropped(over.id);
        if (levelOf(organisation, technician) === level) return;
        if (activatorEvent instanceof KeyboardEvent) refocus.current = { technician, on: 'grip' };
        move({ technician, level });
      }}
    >
      <Levels
        organisation={organisation}
        isShown={isShown}
        mayManage={mayManage}
        refocus={refocus}
        move={move}
        open={open}
      />
      <Dragged member={dragged === null ? undefined : memberOf(organisation, dragged)} />
    </DndContext>
  );
}

function Levels(props: TreeProps & { refocus: RefObject<Refocus | null> }) {
  const { organisation, isShown, mayManage, refocus, move, open } = props;
  const { t } = useTranslation();
  const [closed, setClosed] = useState<ReadonlySet<number | null>>(new Set());
  const { levels, unplaced } = organisation;
  const toggle = (level: number | null) =>
    setClosed((all) =>
      all.has(level) ? new Set([...all].filter((one) => one !== level)) : new Set([...all, level]),
    );
  const groups = [
    ...levels.map((level) => ({ level, key: level.idLevel as number | null, members: level.technicians })),
    { level: null, key: null, members: unplaced },
  ];
  return (
    <ul aria-label={t('organisation.levels')} className="flex flex-col gap-2.5">
      {groups.map(({ level, key, members }) => (
        <LevelSection
          key={key ?? UNPLACED}
          level={level}
          levels={levels}
          count={members.length}
          isOpen={!closed.has(key)}
          toggle={() => toggle(key)}
          mayManage={mayManage}
        >
          {members.filter(isShown).map((member) => (
            <li key={member.idTechnician} className="min-w-0">
              <TechnicianItem
                member={member}
                level={key}
                levels={levels}
                mayManage={mayManage}
                refocus={refocus}
                move={(to) => {
                  refocus.current = { technician: member.idTechnician, on: 'menu' };
                  move({ technician: member.idTechnician, level: to });
                }}
                open={() => open(member.idTechnician)}
              />
            </li>
          ))}
        </LevelSection>
      ))}
    </ul>
  );
}

/** Under the pointer while somebody is dragged. */
function Dragged({ member }: { member: Member | undefined }) {
  return (
    <DragOverlay dropAnimation={null}>
      {member !== undefined && (
        <div className="flex cursor-grabbing items-center gap-2 rounded-md border border-accent bg-raised px-2 py-2 text-14 font-medium shadow-pop">
          <GripVertical aria-hidden className="size-4 text-quiet" />
          {member.displayName}
        </div>
      )}
    </DragOverlay>
  );
}
