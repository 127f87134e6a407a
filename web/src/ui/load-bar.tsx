// Hours drawn against a day's capacity. What is beyond it is hatched behind a mark, so that overload is no matter of
// colour; an empty dashed bar has nothing to draw. The words beside it say the same.

interface LoadBarProps {
  /** Null: not known. */
  hours: number | null;
  /** What would be added. */
  added?: number;
  capacity: number;
}

export function LoadBar({ hours, added = 0, capacity }: LoadBarProps) {
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
  /** A place on the bar. */
  const at = (value: number) => `${(100 * value) / Math.max(total, capacity)}%`;
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
          className="absolute inset-y-0 right-0 border-l-2 border-raised bg-[repeating-linear-gradient(135deg,currentColor_0_2px,transparent_2px_4px)] text-stale"
          style={{ width: at(total - capacity) }}
        />
      )}
    </span>
  );
}
