// Hours drawn against a day's capacity. The bar is the day, and shows the share of it that is full; with `scale` an hour
// is as long in each bar of the screen, and a mark says where the day ends. So does one where there is more than the day
// holds. What is beyond the day is hatched, so that overload is no matter of colour, and ends in a solid piece where the
// bar has no room for all of it; an empty dashed bar has nothing to draw. The words beside it say the same.

interface LoadBarProps {
  /** Null: not known. */
  hours: number | null;
  /** What would be added. */
  added?: number;
  capacity: number;
  /** Hours that the bar has room for; by default the day, or all of them where they are more. */
  scale?: number;
}

export function LoadBar({ hours, added = 0, capacity, ...props }: LoadBarProps) {
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
  const scale = props.scale ?? Math.max(capacity, total);
  /** A place on the bar, in percent. */
  const percentAt = (value: number) => (scale > 0 ? Math.min(100, (100 * value) / scale) : 0);
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
      {(isOver || props.scale !== undefined) && (
        <span
          data-load-mark
          className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-quiet"
          style={{ left: at(capacity) }}
        />
      )}
    </span>
  );
}
