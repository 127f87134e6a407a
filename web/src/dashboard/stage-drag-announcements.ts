// What screen readers hear while a car is dragged from one stage to another.
import type { Active, Announcements, Over } from '@dnd-kit/core';
import type { TFunction } from 'i18next';
import type { OpenOrder } from '../repair-order/order-cache.ts';

export function dragAnnouncements(t: TFunction, stageName: (id: string) => string): Announcements {
  const orderOf = (active: Active) => (active.data.current as OpenOrder | undefined)?.order;
  /** The stage that it would go to from here. */
  const target = (active: Active, over: Over | null) => {
    const id = over === null ? null : String(over.id);
    return id === null || id === orderOf(active)?.stage ? '' : stageName(id);
  };
  const say = (active: Active, words: (number: string) => string) => {
    const order = orderOf(active);
    return order === undefined ? undefined : words(order.roNumber);
  };
  return {
    onDragStart: ({ active }) =>
      say(active, (number) =>
        t('stages.board.drag.start', { number, stage: stageName(orderOf(active)?.stage ?? '') }),
      ),
    onDragOver: ({ active, over }) =>
      say(active, (number) => {
        const stage = target(active, over);
        return stage === ''
          ? t('stages.board.drag.nowhere', { number })
          : t('stages.board.drag.over', { number, stage });
      }),
    onDragEnd: ({ active, over }) =>
      say(active, (number) => {
        const stage = target(active, over);
        return stage === ''
          ? t('stages.board.drag.stays', { number })
          : t('stages.board.drag.dropped', { number, stage });
      }),
    onDragCancel: ({ active }) => say(active, (number) => t('stages.board.drag.stays', { number })),
  };
}
