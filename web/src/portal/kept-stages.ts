// The shop's stages as this device saved them, for a portal that opens without a connection.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ShopStages } from '../api/stages.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { stageTexts } from '../i18n/stages.ts';
import { loadScreen, saveScreen } from '../offline/saved-screens.ts';
import { shopStages } from '../repair-order/stages.ts';

const SCREEN_NAME = 'stages';

/** They count as loaded: a new connection loads them again. */
export function useKeptStages(): void {
  const client = useQueryClient();
  const { data, isError } = useQuery(shopStages);
  useEffect(() => {
    if (data !== undefined) saveScreen(SCREEN_NAME, data);
  }, [data]);
  useEffect(() => {
    if (!isError) return;
    void loadScreen<ShopStages>(SCREEN_NAME).then(async (saved) => {
      if (saved?.enabled !== true) return;
      await loadTexts(stageTexts);
      client.setQueryData(shopStages.queryKey, (loaded) => loaded ?? saved);
    });
  }, [client, isError]);
}
