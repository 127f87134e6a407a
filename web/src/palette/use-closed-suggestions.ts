// The closed orders among the palette's suggestions. They come from the server, once typing has paused, behind all others.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { closedOrders, searchesClosed } from '../repair-order/closed-orders.ts';
import { closedOrderSuggestion, type Suggestion } from './suggestion.ts';

const DEBOUNCE_MS = 300;
const MAX_ORDERS = 8;

interface ClosedSuggestions {
  suggestions: readonly Suggestion[];
  /** Nobody knows yet whether there are any. */
  isSearching: boolean;
}

export function useClosedSuggestions(typed: string): ClosedSuggestions {
  const { t } = useTranslation();
  const [searched, searchFor] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => searchFor(typed), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data, error, isPlaceholderData } = useInfiniteQuery(closedOrders(searched));
  return useMemo(() => {
    // What another text found is not offered: Enter might open it.
    const found = searched === typed && !isPlaceholderData ? data : undefined;
    const orders = found?.pages.flatMap((page) => page.orders) ?? [];
    return {
      suggestions: orders.slice(0, MAX_ORDERS).map((order) => closedOrderSuggestion(order, t)),
      isSearching: searchesClosed(typed) && (searched !== typed || (found === undefined && error === null)),
    };
  }, [data, error, isPlaceholderData, searched, typed, t]);
}
