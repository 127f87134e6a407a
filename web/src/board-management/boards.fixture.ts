import type { Board } from '../api/boards.ts';

export function boardOf(part: Partial<Board> = {}): Board {
  return {
    boardId: '0f8b3c1e-5a52-4d0f-9b59-2d1c7f1d6a10',
    name: 'North wall',
    layout: 'shop-floor',
    settings: {
      categories: ['Drop', 'Waiting', 'Used', 'PDI'],
      technicians: [],
      columns: null,
      textSize: 'normal',
      pageSeconds: 15,
      theme: 'dark',
      dimFrom: '19:00',
      dimUntil: '06:30',
      language: null,
    },
    revision: 'a',
    state: 'paired',
    lastSeenAt: '2026-03-02T14:00:00Z',
    live: true,
    version: '0.1.0-abcdef01',
    screen: { width: 1920, height: 1080 },
    shows: { orders: 42, pages: 3, page: 2 },
    pairedAt: '2026-03-01T09:00:00Z',
    pairedBy: { uid: 'u1', name: 'Olivia Grant' },
    ...part,
  };
}
