import { firstAndCount, type RepairOrder } from '../repair-order/order.ts';

/** The first technician, and how many more: the number stays in sight where the name has no room. */
export function TechnicianName({ order }: { order: RepairOrder }) {
  const { first, more } = firstAndCount(order.technician);
  return (
    <span className="flex min-w-0 gap-x-1 font-medium group-data-tight/table:text-12 group-data-tight/table:leading-[1.125rem]">
      <span className="min-w-0 truncate normal-nums max-md:whitespace-normal max-md:break-words">
        {first}
      </span>
      {more !== '' && (
        <>
          {' '}
          <span className="shrink-0">{more}</span>
        </>
      )}
    </span>
  );
}
