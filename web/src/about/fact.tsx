import type { ReactNode } from 'react';

/** One line of a list of facts. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-12 wrap-anywhere text-quiet">{name}</dt>
      <dd className="text-14">{children}</dd>
    </div>
  );
}
