import { type ReactNode, useId } from 'react';

/** What it is on the left, what can be done on the right; below each other where there is less room. */
export function Section({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section
      aria-labelledby={heading}
      className="grid grid-cols-[240px_minmax(0,1fr)] gap-x-10 gap-y-4 border-t border-line py-7 max-lg:grid-cols-1 max-md:py-5"
    >
      <div>
        <h2 id={heading} className="text-14 font-semibold">
          {title}
        </h2>
        <p className="mt-1 text-13 text-pretty text-quiet">{hint}</p>
      </div>
      <div className="min-w-0 rounded-xl border border-line bg-raised p-5 max-md:p-4">{children}</div>
    </section>
  );
}

/** The forms here are no wider than what is typed into them. */
export const formClasses = 'flex max-w-[360px] flex-col gap-4 max-md:max-w-none';
