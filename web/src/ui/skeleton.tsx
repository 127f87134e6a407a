/** A grey bar where text will be. Shows after 150 ms, so that a quick answer does not flicker. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <span aria-hidden className={`skeleton block h-3 rounded-sm bg-sunken ${className}`} />;
}
