// The trail as a table; on a phone as cards with the same order of facts.
import { createColumnHelper, FlexRender, useTable } from '@tanstack/react-table';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import type { AuditEvent } from '../api/audit.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { features } from '../ui/sortable-table.ts';
import { TableHead } from '../ui/table-head.tsx';
import { EventActor, EventAddress, EventDescription, EventDetails, EventTime } from './event-fields.tsx';

interface EventsProps {
  events: readonly AuditEvent[];
}

export function EventTable({ events }: EventsProps) {
  const { t } = useTranslation();
  const columns = useMemo(() => eventColumns(t), [t]);
  const table = useTable({ features, columns, data: events, getRowId: ({ id }) => String(id), state });
  return (
    <table
      aria-label={t('audit.title')}
      className="w-full table-fixed border-separate border-spacing-0 rounded-lg border border-line bg-raised"
    >
      <TableHead table={table} />
      <tbody>
        {table.getRowModel().rows.map((row) => (
          <tr key={row.id} className="hover:bg-sunken/60">
            {row.getVisibleCells().map((one) => (
              <td
                key={one.id}
                className={`h-[34px] border-b border-line px-2 py-1 align-middle [tr:last-child>&]:border-b-0 ${one.column.columnDef.meta?.cell ?? ''}`}
              >
                <FlexRender cell={one} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The server's order, of which the page has the first events: to sort these alone by anything else would mislead. */
const state = { sorting: [{ id: 'when', desc: true }] };

const column = createColumnHelper<typeof features, AuditEvent>();

function eventColumns(t: TFunction) {
  return column.columns([
    column.display({
      id: 'when',
      header: t('audit.column.when'),
      meta: { head: 'w-40 pl-4', cell: 'pl-4' },
      cell: ({ row }) => <EventTime event={row.original} />,
    }),
    column.display({
      id: 'what',
      header: t('audit.column.what'),
      meta: { head: 'w-[27%]' },
      cell: ({ row }) => <EventDescription event={row.original} />,
    }),
    column.display({
      id: 'who',
      header: t('audit.column.who'),
      meta: { head: 'w-[18%]' },
      cell: ({ row }) => <EventActor event={row.original} />,
    }),
    column.display({
      id: 'about',
      header: t('audit.column.about'),
      cell: ({ row }) => <EventDetails event={row.original} />,
    }),
    column.display({
      id: 'address',
      header: t('audit.column.address'),
      meta: { head: 'w-44 pr-4', cell: 'pr-4' },
      cell: ({ row }) => <EventAddress event={row.original} />,
    }),
  ]);
}

export function EventCards({ events }: EventsProps) {
  const { t } = useTranslation();
  return (
    <ul aria-label={t('audit.title')} className="flex flex-col gap-2">
      {events.map((event) => (
        <li
          key={event.id}
          className="flex flex-col gap-1 rounded-lg border border-line bg-raised px-3 py-2.5"
        >
          <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-quiet">
            <EventTime event={event} />
            <EventAddress event={event} />
          </div>
          <EventDescription event={event} />
          <EventActor event={event} />
          {(event.detail !== null || event.about !== null) && (
            <div>
              <EventDetails event={event} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
