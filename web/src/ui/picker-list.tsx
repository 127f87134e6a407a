// What stands in a picker: the field that filters, the options, and a line about a concurrent change.
import { Check } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { areKeysHeld, takeTypedText } from './key-hold.ts';
import { isTouchPointer } from './pointer-type.ts';
import { Skeleton } from './skeleton.tsx';
import { matchesWordStarts, typedWords } from './text-matching.ts';

export interface PickerOption {
  value: string;
  /** What it is found by. */
  text: string;
  /** The present value. */
  current?: boolean;
  /** The heading over it and its neighbours; empty: they stay at the foot, below a line. */
  group?: string;
  /** It stays, whatever is typed. */
  always?: boolean;
  /** Enter picks it only after the keys or the pointer went to it. */
  neverFirst?: boolean;
}

export interface PickerListProps<O extends PickerOption> {
  label: string;
  placeholder: string;
  /** Null: they are loading. */
  options: readonly O[] | null;
  loading?: string;
  /** Shown when nothing matches what is typed. */
  none: string;
  /** The value that Enter picks before anything is typed; by default the present one. */
  start?: string | undefined;
  /** What has happened since the picker was opened; empty: nothing. */
  concurrentChange: string;
  draw(option: O): ReactNode;
  pick(option: O): void;
}

/** With as many all are in sight at once. */
const MAX_WITHOUT_FIELD = 6;

export function PickerList<O extends PickerOption>(props: PickerListProps<O>) {
  const { label, placeholder, options, loading, none, concurrentChange } = props;
  const id = useId();
  const { typed, type, left, active, activate, onKeyDown, field } = useTypedChoice(props, id);
  const hasField = !isTouchPointer() || options === null || options.length > MAX_WITHOUT_FIELD;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: on touch it has the focus, elsewhere its field
    <div
      data-picker-list
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="flex flex-col outline-none group-data-[side=top]:flex-col-reverse"
    >
      <div className="flex flex-col">
        {hasField && (
          <input
            ref={field}
            role="combobox"
            aria-expanded
            aria-controls={id}
            aria-activedescendant={active === undefined ? undefined : `${id}${active.value}`}
            aria-autocomplete="list"
            aria-label={label}
            autoComplete="off"
            value={typed}
            onChange={(event) => type(event.target.value)}
            placeholder={placeholder}
            className="h-9 w-full border-b border-line bg-raised px-3 text-13 outline-none placeholder:text-quiet max-md:h-11 pointer-coarse:h-11"
          />
        )}
        <div
          id={id}
          role="listbox"
          aria-label={label}
          aria-busy={options === null || undefined}
          // A dozen options are in sight at once where the window has room for them.
          className="max-h-[min(30rem,max(12rem,calc(var(--radix-popover-content-available-height,100dvh)-3rem)))] scroll-pb-20 overflow-y-auto overscroll-contain p-1 empty:hidden max-md:max-h-[70dvh]"
        >
          <Options {...props} id={id} left={left} active={active} activate={activate} />
        </div>
        {options === null && <Loading text={loading ?? ''} />}
        {options !== null && !left.some(({ always }) => !always) && (
          <p role="status" className="px-3 py-2 text-13 text-quiet">
            {none}
          </p>
        )}
      </div>
      <p
        role="status"
        className={
          concurrentChange === ''
            ? 'sr-only'
            : 'border-line bg-sunken px-3 py-2 text-13 group-data-[side=bottom]:border-t group-data-[side=top]:border-b'
        }
      >
        {concurrentChange}
      </p>
    </div>
  );
}

/** What is typed, the options that match it, and which of them Enter picks. */
function useTypedChoice<O extends PickerOption>(
  { options, start, pick }: Pick<PickerListProps<O>, 'options' | 'start' | 'pick'>,
  id: string,
) {
  const [typed, setTyped] = useState('');
  const [chosen, activate] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (!areKeysHeld()) return;
    // The next key is the field's, and is added to what was typed before the list was there.
    field.current?.focus({ preventScroll: true });
    setTyped(takeTypedText());
  }, []);
  const left = filterOptions(options ?? [], typed);
  const present = left.find(({ current, neverFirst }) => current && !neverFirst);
  const first = typed === '' ? (start ?? present?.value) : undefined;
  const isHere = left.findIndex(({ value }) => value === (chosen ?? first));
  // Where the keys or the pointer went to an option that has gone, Enter picks none in its place.
  const at = isHere >= 0 || chosen !== null ? isHere : left.findIndex(({ neverFirst }) => !neverFirst);
  const go = (to: number) => {
    const option = left.at(to % Math.max(left.length, 1));
    if (option === undefined) return;
    activate(option.value);
    document.getElementById(`${id}${option.value}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey } = event;
    if (key === 'ArrowDown' || (key === 'Tab' && !shiftKey)) go(at + 1);
    else if (key === 'ArrowUp' || key === 'Tab') go(Math.max(at, 0) - 1);
    else if (key === 'Home' && typed === '') go(0);
    else if (key === 'End' && typed === '') go(-1);
    else if (key === 'Enter' && left[at] !== undefined) pick(left[at]);
    else return;
    event.preventDefault();
  };
  const type = (text: string) => {
    setTyped(text);
    activate(null);
  };
  return { typed, type, left, active: left[at], activate, onKeyDown, field };
}

interface OptionsProps<O extends PickerOption> extends Pick<PickerListProps<O>, 'draw' | 'pick'> {
  id: string;
  left: readonly O[];
  active: O | undefined;
  activate(value: string): void;
}

function Options<O extends PickerOption>({ id, left, active, activate, draw, pick }: OptionsProps<O>) {
  return groupsOf(left).map(({ group, options }) => (
    <Group key={group ?? ''} title={group}>
      {options.map((option) => (
        <Option
          key={option.value}
          id={`${id}${option.value}`}
          current={option.current ?? false}
          active={option === active}
          activate={() => activate(option.value)}
          pick={() => pick(option)}
        >
          {draw(option)}
        </Option>
      ))}
    </Group>
  ));
}

interface OptionProps {
  id: string;
  current: boolean;
  active: boolean;
  activate(): void;
  pick(): void;
  children: ReactNode;
}

function Option({ id, current, active, activate, pick, children }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, which has the focus
    // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus and names the active option
    <div
      id={id}
      role="option"
      aria-selected={current}
      data-active={active || undefined}
      // The focus stays on the field.
      onMouseDown={(event) => event.preventDefault()}
      onPointerMove={active ? undefined : activate}
      onClick={pick}
      className="flex min-h-[34px] cursor-pointer items-center gap-2 rounded-sm px-2 text-13 data-active:bg-sunken data-active:shadow-[inset_2px_0_0_var(--accent)] pointer-coarse:min-h-11 max-md:min-h-11"
    >
      {children}
      {current && <Check aria-hidden className="ml-auto size-4 shrink-0 text-accent" />}
    </div>
  );
}

function Group({ title, children }: { title: string | undefined; children: ReactNode }) {
  const id = useId();
  if (title === undefined) return children;
  if (title === '') {
    return (
      // In sight however long the list is.
      <div className="sticky -bottom-1 -mx-1 mt-1 -mb-1 border-t border-line bg-raised p-1">{children}</div>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list of options
    <div role="group" aria-labelledby={id}>
      <div id={id} role="presentation" className="px-2 pt-1.5 pb-1 text-12 font-medium text-quiet">
        {title}
      </div>
      {children}
    </div>
  );
}

function Loading({ text }: { text: string }) {
  return (
    <div role="status" className="flex flex-col gap-2 p-2">
      <span className="appear-late px-1 text-13 text-quiet">{text}</span>
      <Skeleton className="h-9 w-full" />
      <Skeleton className="h-9 w-full" />
      <Skeleton className="h-9 w-full" />
    </div>
  );
}

function filterOptions<O extends PickerOption>(options: readonly O[], typed: string): readonly O[] {
  const words = typedWords(typed);
  return options.filter(({ always, text }) => always || matchesWordStarts(text, words));
}

function groupsOf<O extends PickerOption>(
  options: readonly O[],
): { group?: string | undefined; options: O[] }[] {
  const groups: { group?: string | undefined; options: O[] }[] = [];
  for (const option of options) {
    const last = groups.at(-1);
    if (last !== undefined && last.group === option.group) last.options.push(option);
    else groups.push({ group: option.group, options: [option] });
  }
  return groups;
}
