// A list of radio choices: arrows and letters choose, typing filters a long list, Enter submits the form around it.
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { takeTypedText } from './key-hold.ts';
import { isTouchPointer } from './pointer-type.ts';
import { matchesWordStarts, typedWords } from './text-matching.ts';

export interface Choice {
  value: string;
  /** The text that it is found by. */
  text: string;
}

interface ChoiceListProps<C extends Choice> {
  label: string;
  choices: readonly C[];
  chosen: string | null;
  choose(value: string): void;
  draw(choice: C): ReactNode;
  /** The placeholder of the search field above a long list. */
  search?: { placeholder: string; none: string };
  /** False: something else in the dialog gets the focus first. */
  takesFocus?: boolean | undefined;
}

export function ChoiceList<C extends Choice>(props: ChoiceListProps<C>) {
  const { label, choices, chosen, choose, draw, search, takesFocus = true } = props;
  const id = useId();
  const [typed, type] = useState('');
  const left = filterChoices(choices, typed);
  const { at, goToLetter, onKeyDown } = useChoiceKeys(props, left, id);
  const narrow = (text: string) => {
    type(text);
    const [only, ...others] = filterChoices(choices, text);
    if (text.trim() !== '' && only !== undefined && others.length === 0) choose(only.value);
  };
  const field = useFieldFocus(takesFocus);
  useTextTypedBefore((text) => {
    if (search !== undefined) {
      narrow(text);
      // The rest of the name follows.
      if (text !== '') field.current?.focus();
    } else for (const letter of text) goToLetter(letter);
  });

  const active = at < 0 ? undefined : `${id}${chosen}`;
  return (
    <div className="flex min-h-0 flex-col gap-2">
      {search !== undefined && (
        <SearchInput
          ref={field}
          data-first-focus={takesFocus || undefined}
          aria-controls={id}
          aria-activedescendant={active}
          aria-label={label}
          value={typed}
          onChange={(event) => narrow(event.target.value)}
          onKeyDown={onKeyDown}
          placeholder={search.placeholder}
        />
      )}
      {search !== undefined && left.length === 0 && <NoMatch text={search.none} />}
      <div
        id={id}
        role="listbox"
        aria-label={label}
        tabIndex={search === undefined ? 0 : -1}
        data-first-focus={(search === undefined && takesFocus) || undefined}
        aria-activedescendant={active}
        onKeyDown={search === undefined ? onKeyDown : undefined}
        className="flex flex-col overflow-hidden rounded-lg border border-line empty:hidden"
      >
        {left.map((choice) => (
          <Option
            key={choice.value}
            id={`${id}${choice.value}`}
            isChosen={choice.value === chosen}
            choose={() => choose(choice.value)}
          >
            {draw(choice)}
          </Option>
        ))}
      </div>
    </div>
  );
}

function SearchInput(props: ComponentProps<'input'>) {
  return (
    <input
      role="combobox"
      aria-expanded
      aria-autocomplete="list"
      autoComplete="off"
      // Below the dialog's head.
      className="sticky top-18 z-10 h-9 w-full rounded-md border border-line-strong bg-raised px-3 text-14 placeholder:text-quiet max-md:h-11 pointer-coarse:h-11"
      {...props}
    />
  );
}

function NoMatch({ text }: { text: string }) {
  return (
    <p role="status" className="px-3 py-2 text-13 text-quiet">
      {text}
    </p>
  );
}

interface OptionProps {
  id: string;
  isChosen: boolean;
  choose(): void;
  children: ReactNode;
}

function Option({ id, isChosen, choose, children }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the list's, which has the focus
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the active option
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      // The focus stays on the element that handles the keys.
      onMouseDown={(event) => event.preventDefault()}
      onClick={choose}
      onDoubleClick={(event) => event.currentTarget.closest('form')?.requestSubmit()}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 border-line px-3 py-1 text-13 not-first:border-t hover:bg-sunken aria-selected:bg-accent-tint pointer-coarse:min-h-11"
    >
      <span
        aria-hidden
        className={`grid size-4 shrink-0 place-items-center rounded-full border ${isChosen ? 'border-accent' : 'border-line-strong'}`}
      >
        {isChosen && <span className="size-2 rounded-full bg-accent" />}
      </span>
      {children}
    </div>
  );
}

/** `left`: the choices that match what is typed; `at`: the chosen one's place among them. */
function useChoiceKeys<C extends Choice>(
  { chosen, choose, search }: Pick<ChoiceListProps<C>, 'chosen' | 'choose' | 'search'>,
  left: readonly C[],
  id: string,
) {
  const at = left.findIndex(({ value }) => value === chosen);
  const go = (to: number) => {
    const choice = left[Math.min(Math.max(to, 0), left.length - 1)];
    if (choice === undefined) return;
    choose(choice.value);
    document.getElementById(`${id}${choice.value}`)?.scrollIntoView({ block: 'nearest' });
  };
  const goToLetter = (letter: string) => {
    const found = left.findIndex(({ text }) => text.toLowerCase().startsWith(letter.toLowerCase()));
    if (found >= 0) go(found);
    return found >= 0;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // Enter may still be held from what opened the list.
    if (event.key === 'Enter' && event.repeat) return event.preventDefault();
    if (event.key === 'ArrowDown') go(at + 1);
    else if (event.key === 'ArrowUp') go(at < 0 ? left.length - 1 : at - 1);
    else if (event.key === 'Enter') {
      // Enter chooses the match first, so that nothing is submitted unseen.
      if (at >= 0) event.currentTarget.closest('form')?.requestSubmit();
      else go(0);
    } else if (search === undefined && event.key === 'Home') go(0);
    else if (search === undefined && event.key === 'End') go(left.length - 1);
    else if (search === undefined && event.key.length === 1) {
      if (!goToLetter(event.key)) return;
    } else return;
    event.preventDefault();
  };
  return { at, goToLetter, onKeyDown };
}

/** A list that loads after its dialog takes the focus from it. */
function useFieldFocus(takesFocus: boolean) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const input = field.current;
    if (!takesFocus) return;
    // A dialog begins at its top, also where the field is far below.
    if (document.activeElement === input?.closest('[role="dialog"]') && !isTouchPointer())
      input?.focus({ preventScroll: true });
  }, [takesFocus]);
  return field;
}

/** What was typed before the list was there. It is rendered before the next key, which is added to it. */
function useTextTypedBefore(take: (text: string) => void): void {
  const first = useRef(take);
  useLayoutEffect(() => first.current(takeTypedText()), []);
}

function filterChoices<C extends Choice>(choices: readonly C[], typed: string): readonly C[] {
  const wanted = typedWords(typed);
  return choices.filter(({ text }) => matchesWordStarts(text, wanted));
}
