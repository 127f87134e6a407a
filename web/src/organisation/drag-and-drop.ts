// Dragging of technicians: by mouse or finger, and by keyboard from level to level, with announcements for screen
// readers.
import {
  type Announcements,
  type CollisionDetection,
  closestCenter,
  KeyboardCode,
  type KeyboardCoordinateGetter,
  KeyboardSensor,
  pointerWithin,
  type SensorDescriptor,
  type SensorOptions,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import type { TFunction } from 'i18next';
import { usePointerSensors } from '../ui/drag-sensors.ts';

export function useDragSensors(): SensorDescriptor<SensorOptions>[] {
  return useSensors(...usePointerSensors(), useSensor(KeyboardSensor, { coordinateGetter: nextLevel }));
}

/** By keyboard a dragged technician is placed this far inside the level. */
const INTO_PX = 10;

/** The arrow keys lead from level to level, in screen order. */
const nextLevel: KeyboardCoordinateGetter = (event, { context: { over, droppableRects } }) => {
  const step = keySteps[event.code];
  if (step === undefined) return undefined;
  event.preventDefault();
  const order = [...droppableRects].toSorted(([, a], [, b]) => a.top - b.top);
  const at = order.findIndex(([id]) => id === over?.id);
  const [, rect] = order[Math.min(Math.max(at + step, 0), order.length - 1)] ?? [];
  return rect && { x: rect.left + INTO_PX, y: rect.top + INTO_PX };
};

const keySteps: Partial<Record<string, 1 | -1>> = {
  [KeyboardCode.Down]: 1,
  [KeyboardCode.Right]: 1,
  [KeyboardCode.Up]: -1,
  [KeyboardCode.Left]: -1,
};

/** The level under the pointer; by keyboard the level under the technician's corner. */
export const levelUnder: CollisionDetection = (args) => {
  if (args.pointerCoordinates !== null) return pointerWithin(args);
  const { collisionRect, droppableRects } = args;
  const within = args.droppableContainers.filter(({ id }) => {
    const rect = droppableRects.get(id);
    return rect !== undefined && collisionRect.top >= rect.top && collisionRect.top < rect.bottom;
  });
  return closestCenter({ ...args, droppableContainers: within });
};

/** The droppable ids of levels. */
export const UNPLACED = 'unplaced';

export function levelDropped(id: UniqueIdentifier): number | null {
  return id === UNPLACED ? null : Number(id);
}

/** The announcements: what is dragged, and over which levels. */
interface Names {
  technician(id: UniqueIdentifier): string;
  /** The droppable id of a level. */
  levelOf(technician: UniqueIdentifier): UniqueIdentifier;
  level(id: UniqueIdentifier): string;
}

export function announcements(t: TFunction, names: Names): Announcements {
  const name = (id: UniqueIdentifier) => names.technician(id);
  const pickedUp = (id: UniqueIdentifier) =>
    t('organisation.drag.start', { name: name(id), level: names.level(names.levelOf(id)) });
  const stays = (id: UniqueIdentifier) => t('organisation.drag.cancelled', { name: name(id) });
  return {
    onDragStart: ({ active }) => pickedUp(active.id),
    onDragOver: ({ active, over }) => {
      if (over === null) return t('organisation.drag.nowhere', { name: name(active.id) });
      // dnd-kit repeats the level right after the start; it is announced once.
      if (over.id === names.levelOf(active.id)) return pickedUp(active.id);
      return t('organisation.drag.over', { name: name(active.id), level: names.level(over.id) });
    },
    onDragEnd: ({ active, over }) =>
      over === null || over.id === names.levelOf(active.id)
        ? stays(active.id)
        : t('organisation.drag.dropped', { name: name(active.id), level: names.level(over.id) }),
    onDragCancel: ({ active }) => stays(active.id),
  };
}
