import { Search, X } from 'lucide-react';

interface SearchFieldProps {
  label: string;
  clearLabel: string;
  typed: string;
  type(text: string): void;
  className: string;
}

/** The search field of a list. */
export function SearchField({ label, clearLabel, typed, type, className }: SearchFieldProps) {
  return (
    <search className={`relative ${className}`}>
      <Search
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-quiet"
      />
      <input
        type="text"
        inputMode="search"
        value={typed}
        onChange={(event) => type(event.target.value)}
        placeholder={label}
        aria-label={label}
        className="h-9 w-full rounded-md border border-line-strong bg-raised pr-9 pl-8.5 text-13 text-ellipsis placeholder:text-quiet max-md:h-11 pointer-coarse:h-11"
      />
      {typed !== '' && (
        <button
          type="button"
          aria-label={clearLabel}
          onClick={() => type('')}
          className="absolute inset-y-0 right-0 grid w-9 place-items-center rounded-md text-quiet hover:text-ink max-md:w-11"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </search>
  );
}
