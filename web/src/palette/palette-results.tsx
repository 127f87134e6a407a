// What the command palette offers for what is typed: the suggestions, the keys that choose one, and what choosing does.
// Loaded after the palette's field, so that nothing typed is lost meanwhile.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, type Ref, useImperativeHandle, useLayoutEffect, useMemo, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { DETAILS_PARAM, detailsLink, useOpenDetails } from '../dashboard/open-details.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import type { ScreenLink } from '../page-header/screen-links.tsx';
import { useOrderPermissions } from '../repair-order/order-actions.ts';
import { useHasStages, useStages } from '../repair-order/stages.ts';
import { requestStory } from '../repair-order/story-request.ts';
import { loadsOf } from '../repair-order/technician-choice.tsx';
import { technicians } from '../repair-order/technicians.ts';
import { useOrders } from '../repair-order/use-orders.ts';
import { afterClosing } from '../ui/history-entries.ts';
import { holdKeys } from '../ui/key-hold.ts';
import { DESK_PATH, useActions } from './actions.ts';
import { nothingFound } from './command-suggestions.ts';
import { vocabularyOf } from './command-vocabulary.ts';
import { executeCommand } from './execute-command.ts';
import { Kbd } from './kbd.tsx';
import type { Suggestion } from './suggestion.ts';
import { suggestionsFor } from './suggestions.ts';
import { useClosedSuggestions } from './use-closed-suggestions.ts';
import { useGo } from './use-go.ts';

/** What the field says of the suggestions below it. */
export interface ListState {
  count: number;
  /** The element of the active suggestion. */
  active: string | undefined;
}

export interface PaletteResultsProps {
  /** Handles the field's keys. */
  keys: Ref<(event: KeyboardEvent) => void>;
  /** The id of the list. */
  id: string;
  typed: string;
  type(text: string): void;
  showState(state: ListState): void;
  focusField(): void;
  screens: readonly ScreenLink[];
  close(): void;
  /** Takes the palette's place. */
  showKeys(): void;
}

export function PaletteResults(props: PaletteResultsProps) {
  const { keys, id, typed, type, showState, focusField, screens, close, showKeys } = props;
  const { t } = useTranslation();
  const [chosen, setChosen] = useState({ typed, id: '' });
  const choose = useChoose(close, type);
  const { offers: suggestions, none: emptyText } = useSuggestions(typed, screens, showKeys);
  // Another text has other suggestions: the first of them is active.
  const found = chosen.typed === typed ? suggestions.findIndex((one) => one.id === chosen.id) : -1;
  const at = Math.max(found, 0);
  const active = suggestions[at];
  const count = suggestions.length;
  const activeId = active && `${id}${at}`;
  useLayoutEffect(() => showState({ count, active: activeId }), [showState, count, activeId]);

  const go = (to: number) => {
    const place = (to + count) % count;
    const next = suggestions[place];
    if (next === undefined) return;
    setChosen({ typed, id: next.id });
    document.getElementById(`${id}${place}`)?.scrollIntoView({ block: 'nearest' });
  };
  useImperativeHandle(keys, () => (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'ArrowDown') go(at + 1);
    else if (event.key === 'ArrowUp') go(at - 1);
    else if (event.key === 'Enter') {
      if (active !== undefined) choose(active);
    } else return;
    event.preventDefault();
  });

  return (
    <>
      <p
        role="status"
        className={suggestions.length > 0 ? 'sr-only' : 'px-4 py-6 text-center text-13 text-quiet'}
      >
        {suggestions.length > 0 ? t('palette.count', { count: suggestions.length }) : emptyText}
      </p>
      <SuggestionList
        id={id}
        suggestions={suggestions}
        active={active}
        choose={(suggestion) => {
          choose(suggestion);
          focusField();
        }}
      />
      <Hints />
    </>
  );
}

interface SuggestionListProps {
  id: string;
  suggestions: readonly Suggestion[];
  active: Suggestion | undefined;
  choose(suggestion: Suggestion): void;
}

function SuggestionList({ id, suggestions, active, choose }: SuggestionListProps) {
  const { t } = useTranslation();
  return (
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
          onClick={() => choose(suggestion)}
          className="flex min-h-9 cursor-pointer items-center gap-3 rounded-sm px-2.5 py-1 text-13 hover:bg-sunken aria-selected:bg-accent-tint aria-selected:shadow-[inset_2px_0_0_var(--accent)] pointer-coarse:min-h-11"
        >
          <SuggestionLine suggestion={suggestion} />
        </div>
      ))}
    </div>
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

/** An example of what this user may type, and the keys. For those who have a keyboard. */
function Hints() {
  const { t } = useTranslation();
  const { dispatch, priority } = useOrderPermissions();
  const example = dispatch ? 'dispatch' : priority ? 'priority' : 'search';
  return (
    <p
      aria-hidden
      className="flex shrink-0 items-center gap-4 border-t border-line px-4 py-2 text-12 text-quiet max-md:hidden"
    >
      <span className="flex-1 truncate">
        {t('palette.example')}{' '}
        <span className="font-mono text-ink">{t(`palette.exampleSentence.${example}`)}</span>
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
  const { t, language } = useTranslation();
  const orders = useOrders();
  const stages = useStages(useHasStages());
  const { data: team, isPending } = useQuery(technicians);
  const { status, priority, dispatch, stage } = useOrderPermissions();
  const permissions = useMemo(
    () => ({ status, priority, dispatch, stage }),
    [status, priority, dispatch, stage],
  );
  const actions = useActions(screens, permissions, showKeys);
  const vocabulary = useMemo(() => vocabularyOf(t, stages, language), [t, stages, language]);
  const loads = useMemo(() => loadsOf(orders), [orders]);
  const closed = useClosedSuggestions(typed);
  const [params] = useSearchParams();
  const openOrder = orders?.open.get(Number(params.get(DETAILS_PARAM)));
  return useMemo(() => {
    const desk = { orders, technicians: team ?? [], loads, openOrder };
    const context = { t, vocabulary, may: permissions, actions, ...desk };
    const offers = [...suggestionsFor(typed, context), ...closed.suggestions];
    if (offers.length > 0) return { offers, none: '' };
    // The technicians may still be loading.
    if (isPending) return { offers, none: t('decision.loadingTechnicians') };
    return { offers, none: closed.isSearching ? t('closed.searching') : nothingFound(typed, context) };
  }, [typed, t, vocabulary, orders, team, isPending, loads, openOrder, permissions, actions, closed]);
}

function useChoose(close: () => void, type: (text: string) => void): (suggestion: Suggestion) => void {
  const client = useQueryClient();
  const go = useGo();
  const { pathname, search } = useLocation();
  const openHere = useOpenDetails();
  const openDetails = (key: number) => {
    if (pathname !== DESK_PATH) go({ pathname: DESK_PATH, search: detailsLink(key) });
    else if (new URLSearchParams(search).get(DETAILS_PARAM) !== String(key)) {
      // Nothing acts on the rows while the details are on their way.
      holdKeys({ cancel: () => undefined });
      afterClosing(() => openHere(key));
    }
  };
  return ({ choice }) => {
    if (choice.kind === 'type') {
      type(choice.text);
      return;
    }
    close();
    if (choice.kind === 'run') choice.run();
    else if (choice.kind === 'open') openDetails(choice.key);
    else if (choice.kind === 'search')
      go({ pathname: DESK_PATH, search: new URLSearchParams({ q: choice.text }).toString() });
    else {
      void executeCommand(choice.command, {
        client,
        openDetails,
        openStory: (key) => {
          requestStory(key);
          openDetails(key);
        },
        goToDesk: () => {
          if (pathname !== DESK_PATH) go(DESK_PATH);
        },
      });
    }
  };
}
