// A part of the screen: a heading, what has to be said about it, and a table.
import { type ReactNode, useId } from 'react';

interface SectionProps {
  title: string;
  note?: string;
  children: ReactNode;
}

export function Section({ title, note, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="rounded-lg border border-line bg-raised">
      <div className="flex flex-wrap items-baseline gap-x-3 px-4 pt-3 pb-1 max-md:px-3">
        <h2 id={id} className="text-14 font-semibold">
          {title}
        </h2>
        {note !== undefined && <p className="text-13 text-quiet">{note}</p>}
      </div>
      {children}
    </section>
  );
}

/** `number`: its cells are figures. */
export function Head({ children, number = false, className = '' }: HeadProps) {
  return (
    <th
      scope="col"
      className={`h-8 border-b border-line px-2 text-12 font-medium text-quiet ${number ? 'text-right' : 'text-left'} ${className}`}
    >
      {children}
    </th>
  );
}

interface HeadProps {
  children?: ReactNode;
  number?: boolean;
  className?: string;
}

export function Figure({ children, className = '' }: Omit<HeadProps, 'number'>) {
  return <td className={`${cell} text-right whitespace-nowrap ${className}`}>{children}</td>;
}

export const cell = 'h-[34px] border-b border-line px-2 text-13 tabular-nums [tr:last-child>&]:border-b-0';
export const outer = { first: 'pl-4', last: 'pr-4' } as const;
