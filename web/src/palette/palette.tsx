// The command palette: a field, and below it the suggestions for the input. The field keeps the focus; arrows choose,
// Enter executes.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronRight, Search, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useTranslation } from '../i18n/use-translation.ts';
import type { ScreenLink } from '../page-header/navigation-bar.tsx';
import { openOrders } from '../repair-order/live-orders.ts';
import { useOrderPermissions } from '../repair-order/order-actions.ts';
import { loadsOf, technicians } from '../repair-order/technician-choice.tsx';
import { DESK_PATH, useActions } from './actions.ts';
import { vocabularyOf } from './command-vocabulary.ts';
import { executeCommand } from './execute-command.ts';
import { Kbd } from './kbd.tsx';
import { nothingFound, type Suggestion, suggestionsFor } from './suggestions.ts';

interface PaletteProps {
  screens: readonly ScreenLink[];
  close(): void;
  restoreFocus(event: Event): void;
  /** Takes the palette's place. */
  showKeys(): void;
}

export function Palette({ screens, close, restoreFocus, showKeys }: PaletteProps) {
  const { t } = useTranslation();
  return (
    <Dialog.Root
      open
      onOpenChange={(next) => {
        if (!next) close();
      }}
    >
      <Dialog.Portal>
        <Dialog.Overlay className="fade fixed inset-0 z-40 bg-black/35" />
        <Dialog.Content
          data-palette
          aria-describedby={undefined}
          onCloseAutoFocus={restoreFocus}
          className="fade fixed top-[min(12vh,7rem)] left-1/2 z-40 flex max-h-[min(34rem,76dvh)] w-[min(640px,calc(100vw-2rem))] -translate-x-1/2 flex-col overflow-hidden rounded-xl border border-line bg-raised shadow-pop max-md:inset-x-0 max-md:top-0 max-md:left-0 max-md:max-h-[88dvh] max-md:w-full max-md:translate-x-0 max-md:rounded-t-none max-md:border-x-0 max-md:border-t-0"
        >
          <Dialog.Title className="sr-only">{t('palette.title')}</Dialog.Title>
          <CommandInput screens={screens} close={close} showKeys={showKeys} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function CommandInput({ screens, close, showKeys }: Omit<PaletteProps, 'restoreFocus'>) {
  const { t } = useTranslation();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const choose = useChoose(close, (text) => {
    setTyped(text);
    setChosen(null);
  });
  const { offers: suggestions, none: emptyText } = useSuggestions(typed, screens, showKeys);
  const found = suggestions.findIndex((suggestion) => suggestion.id === chosen);
  const at = Math.max(found, 0);
  const active = suggestions[at];

  const go = (to: number) => {
    const place = (to + suggestions.length) % suggestions.length;
    const next = suggestions[place];
    if (next === undefined) return;
    setChosen(next.id);
    document.getElementById(`${id}${place}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'ArrowDown') go(at + 1);
    else if (event.key === 'ArrowUp') go(at - 1);
    else if (event.key === 'Enter') {
      if (active !== undefined) choose(active);
    } else return;
    event.preventDefault();
  };

  return (
    <>
      <div className="flex shrink-0 items-center gap-2.5 border-b border-line pr-2 pl-4">
        <Search aria-hidden className="size-4 shrink-0 text-quiet" />
        <input
          ref={field}
          role="combobox"
          aria-expanded={suggestions.length > 0}
          aria-controls={id}
          aria-activedescendant={active && `${id}${at}`}
          aria-autocomplete="list"
          aria-label={t('palette.field')}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setChosen(null);
          }}
          onKeyDown={onKeyDown}
          placeholder={t('palette.placeholder')}
          className="h-12 min-w-0 flex-1 bg-transparent text-16 outline-none placeholder:text-quiet"
        />
        <Dialog.Close
          aria-label={t('details.close')}
          className="grid size-11 shrink-0 place-items-center rounded-md text-quiet md:hidden"
        >
          <X aria-hidden className="size-[18px]" />
        </Dialog.Close>
      </div>
      <p
        role="status"
        className={suggestions.length > 0 ? 'sr-only' : 'px-4 py-6 text-center text-13 text-quiet'}
      >
        {suggestions.length > 0 ? t('palette.count', { count: suggestions.length }) : emptyText}
      </p>
      <div
        id={id}
        role="listbox"
        aria-label={t('palette.results')}
        className="min-h-0 flex-1 overflow-y-auto p-1.5 empty:hidden"
      >
        {suggestions.map((suggestion, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, which has the focus
          // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus and names the active option
          <div
            key={suggestion.id}
            id={`${id}${place}`}
            role="option"
            aria-selected={suggestion === active}
            onClick={() => {
              choose(suggestion);
              field.current?.focus();
            }}
            className="flex min-h-9 cursor-pointer items-center gap-3 rounded-sm px-2.5 py-1 text-13 hover:bg-sunken aria-selected:bg-accent-tint aria-selected:shadow-[inset_2px_0_0_var(--accent)] pointer-coarse:min-h-11"
          >
            <SuggestionLine suggestion={suggestion} />
          </div>
        ))}
      </div>
      <Hints />
    </>
  );
}

function SuggestionLine({ suggestion }: { suggestion: Suggestion }) {
  return (
    <>
      <suggestion.glyph aria-hidden className={`size-4 shrink-0 ${suggestion.ink ?? 'text-quiet'}`} />
      <span className="flex min-w-0 flex-1 items-baseline gap-x-2.5 max-md:flex-col max-md:items-stretch">
        <span
          className={`max-w-full shrink-0 font-medium max-md:break-words md:truncate ${suggestion.isNumber ? 'font-mono' : ''}`}
          title={suggestion.text}
        >
          {suggestion.text}
        </span>
        {suggestion.detail !== undefined && (
          <span className="min-w-0 truncate text-12 text-quiet" title={suggestion.detail}>
            {suggestion.detail}
          </span>
        )}
      </span>
      {suggestion.keys !== undefined && <Kbd>{suggestion.keys}</Kbd>}
      <span className="flex shrink-0 items-center gap-0.5 text-12 text-quiet">
        {suggestion.kind}
        {suggestion.choice.kind === 'type' && <ChevronRight aria-hidden className="size-3.5" />}
      </span>
    </>
  );
}

/** An example of a sentence, and the keys. For those who have a keyboard. */
function Hints() {
  const { t } = useTranslation();
  return (
    <p
      aria-hidden
      className="flex shrink-0 items-center gap-4 border-t border-line px-4 py-2 text-12 text-quiet max-md:hidden"
    >
      <span className="flex-1 truncate">
        {t('palette.example')} <span className="font-mono text-ink">{t('palette.exampleSentence')}</span>
      </span>
      <span className="flex items-center gap-1.5">
        <Kbd>↑</Kbd>
        <Kbd>↓</Kbd>
        {t('keys.choose')}
      </span>
      <span className="flex items-center gap-1.5">
        <Kbd>↵</Kbd>
        {t('keys.confirm')}
      </span>
    </p>
  );
}

function useSuggestions(typed: string, screens: readonly ScreenLink[], showKeys: () => void) {
  const { t } = useTranslation();
  const { data: orders } = useQuery(openOrders);
  const { data: team, isPending } = useQuery(technicians);
  const { status, priority, dispatch } = useOrderPermissions(true);
  const permissions = useMemo(() => ({ status, priority, dispatch }), [status, priority, dispatch]);
  const actions = useActions(screens, permissions, showKeys);
  const vocabulary = useMemo(() => vocabularyOf(t), [t]);
  const loads = useMemo(() => loadsOf(orders), [orders]);
  return useMemo(() => {
    const context = { t, vocabulary, orders, technicians: team ?? [], loads, may: permissions, actions };
    const suggestions = suggestionsFor(typed, context);
    if (suggestions.length > 0) return { offers: suggestions, none: '' };
    // The technicians may still be loading.
    return {
      offers: suggestions,
      none: isPending ? t('decision.loadingTechnicians') : nothingFound(typed, context),
    };
  }, [typed, t, vocabulary, orders, team, isPending, loads, permissions, actions]);
}

function useChoose(close: () => void, type: (text: string) => void): (suggestion: Suggestion) => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  /** Keeps the desk's address and adds this parameter. */
  const context = (name: string, value: string) => {
    const params = new URLSearchParams(pathname === DESK_PATH ? search : '');
    params.set(name, value);
    void navigate({ pathname: DESK_PATH, search: params.toString() }, { replace: pathname === DESK_PATH });
  };
  return ({ choice }) => {
    if (choice.kind === 'type') {
      type(choice.text);
      return;
    }
    close();
    if (choice.kind === 'run') choice.run();
    else if (choice.kind === 'search')
      void navigate({ pathname: DESK_PATH, search: new URLSearchParams({ q: choice.text }).toString() });
    else {
      void executeCommand(choice.command, {
        client,
        openDetails: (key) => context('ro', String(key)),
        goToDesk: () => {
          if (pathname !== DESK_PATH) void navigate(DESK_PATH);
        },
      });
    }
  };
}
