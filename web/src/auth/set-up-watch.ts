// A page that was loaded while nobody could sign in asks until somebody can: another person may have set the server up, or
// it may have found its data again.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { fetchShop, shop } from '../shop/shop.ts';

const POLL_INTERVAL_MS = 5_000;

/** `noticed` is called when the server is set up, unless this page did it. */
export function useSetUpWatch(noticed: () => void, isWatching = true): void {
  const { data } = useQuery({
    queryKey: ['shop-settings'],
    queryFn: ({ signal }) => fetchShop(signal),
    enabled: shop.awaitsSetUp && isWatching,
    refetchInterval: POLL_INTERVAL_MS,
    staleTime: 0,
    gcTime: 0,
  });
  const isSetUp = isWatching && data?.awaitsSetUp === false;
  const notice = useEffectEvent(noticed);
  useEffect(() => {
    if (isSetUp) notice();
  }, [isSetUp]);
}
