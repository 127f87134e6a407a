// A key as it is written on the keyboard.

export function Kbd({ children }: { children: string }) {
  return (
    <kbd className="inline-grid h-5 min-w-5 place-items-center rounded border border-line bg-sunken px-1 font-sans text-12 text-quiet">
      {children}
    </kbd>
  );
}
