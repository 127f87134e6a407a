// The trail as a table; on a phone as cards with the same order of facts.
import type { AuditEvent } from '../api/audit.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { EventActor, EventAddress, EventDescription, EventDetails, EventTime } from './event-fields.tsx';

interface EventsProps {
  events: readonly AuditEvent[];
}

export function EventTable({ events }: EventsProps) {
  const { t } = useTranslation();
  return (
    <table
      aria-label={t('audit.title')}
      className="w-full table-fixed border-separate border-spacing-0 rounded-lg border border-line bg-raised"
    >
      <thead>
        <tr>
          <th scope="col" className={`${head} w-40 rounded-tl-lg pl-4`}>
            {t('audit.column.when')}
          </th>
          <th scope="col" className={`${head} w-[27%]`}>
            {t('audit.column.what')}
          </th>
          <th scope="col" className={`${head} w-[18%]`}>
            {t('audit.column.who')}
          </th>
          <th scope="col" className={head}>
            {t('audit.column.about')}
          </th>
          <th scope="col" className={`${head} w-44 rounded-tr-lg pr-4`}>
            {t('audit.column.address')}
          </th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event.id} className="group hover:bg-sunken/60">
            <td className={`${cell} pl-4`}>
              <EventTime event={event} />
            </td>
            <td className={cell}>
              <EventDescription event={event} />
            </td>
            <td className={cell}>
              <EventActor event={event} />
            </td>
            <td className={cell}>
              <EventDetails event={event} />
            </td>
            <td className={`${cell} pr-4`}>
              <EventAddress event={event} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const head =
  'sticky top-0 z-10 h-9 border-b border-line bg-raised px-2 text-left text-12 font-medium text-quiet';
const cell = 'h-[34px] border-b border-line px-2 py-1 align-middle group-last:border-b-0';

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
