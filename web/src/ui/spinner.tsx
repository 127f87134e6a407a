/** Announces `label` to a screen reader at once, and shows it after a second: most waits are over by then. */
export function Spinner({ label }: { label: string }) {
  return (
    <div role="status" className="flex flex-col items-center gap-3 text-13 text-quiet">
      <span aria-hidden className="size-6 animate-spin rounded-full border-2 border-line border-t-accent" />
      <span className="appear-late">{label}</span>
    </div>
  );
}
