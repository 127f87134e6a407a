// Hours drawn against a day's capacity. All bars of a screen have the same scale, so that they can be compared: the day
// ends at the same mark in each, or with `scale` an hour is as long in each. What is beyond the day is hatched, so that
// overload is no matter of colour, and ends in a solid piece where the bar has no room for all of it; an empty dashed bar
// has nothing to draw. The words beside it say the same.

interface LoadBarProps {
  /** Null: not known. */
  hours: number | null;
  /** What would be added. */
  added?: number;
  capacity: number;
  /** Hours that the bar has room for; by default some days of this capacity. */
  scale?: number;
}

/** How many days the bar has room for: a technician may be given the work of the day after tomorrow. */
const DAYS = 3;

export function LoadBar({ hours, added = 0, capacity, scale = DAYS * capacity }: LoadBarProps) {
  if (hours === null) {
    return (
      <span
        aria-hidden
        data-load="unknown"
        className="block h-1.5 rounded-full border border-dashed border-line-strong"
      />
    );
  }
  const total = hours + added;
  /** A place on the bar, in percent. */
  const percentAt = (value: number) => Math.min(100, (100 * value) / scale);
  const at = (value: number) => `${percentAt(value)}%`;
  const isOver = total > capacity;
  return (
    <span
      aria-hidden
      data-load={isOver ? 'over' : 'within'}
      className="relative block h-1.5 overflow-hidden rounded-full bg-sunken"
    >
      {added > 0 && (
        <span
          className="absolute inset-y-0 left-0 border-y border-r border-accent bg-accent-tint"
          style={{ width: at(Math.min(total, capacity)) }}
        />
      )}
      <span
        className="absolute inset-y-0 left-0 bg-accent"
        style={{ width: at(Math.min(hours, capacity)) }}
      />
      {isOver && (
        <span
          className="absolute inset-y-0 bg-[repeating-linear-gradient(135deg,currentColor_0_2px,transparent_2px_4px)] text-stale"
          style={{ left: at(capacity), width: `${percentAt(total) - percentAt(capacity)}%` }}
        />
      )}
      {total > scale && <span className="absolute inset-y-0 right-0 w-1.5 bg-stale" />}
      <span className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-quiet" style={{ left: at(capacity) }} />
    </span>
  );
}
