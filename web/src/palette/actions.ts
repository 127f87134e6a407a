// The palette's actions that are not about one order: tabs, other screens, and this device's settings.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  Bookmark,
  Contrast,
  Keyboard,
  Languages,
  LayoutList,
  LogOut,
  Printer,
  Undo2,
  UserRoundPlus,
} from 'lucide-react';
import { useMemo } from 'react';
import { useLocation } from 'react-router';
import { signOutAfterGuards } from '../auth/sign-out.ts';
import { useUser } from '../auth/use-session.ts';
import { tabs } from '../dashboard/categories.ts';
import { rememberTab } from '../dashboard/remembered-choices.ts';
import { en } from '../i18n/en.ts';
import { changeLanguage, isLanguage, languages } from '../i18n/i18n.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import type { ScreenLink } from '../page-header/screen-links.tsx';
import type { OrderPermissions } from '../repair-order/order-actions.ts';
import { undoLast } from '../repair-order/undo.ts';
import { chooseTheme, themes, useTheme } from '../ui/theme.ts';
import { namedViews, viewAddress } from '../views/named-views.ts';
import type { PaletteAction } from './suggestion.ts';
import { useGo } from './use-go.ts';

export const DESK_PATH = '/dashboard';

const themeText = { system: 'bar.themeSystem', light: 'bar.themeLight', dark: 'bar.themeDark' } as const;

export function useActions(
  screens: readonly ScreenLink[],
  may: OrderPermissions,
  showKeys: () => void,
): PaletteAction[] {
  const { t, language } = useTranslation();
  const client = useQueryClient();
  const go = useGo();
  const { pathname } = useLocation();
  const { permissions } = useUser();
  const theme = useTheme();
  const { data: views } = useQuery(namedViews);

  return useMemo(() => {
    const kind = t('palette.kind.action');
    const screen = t('palette.kind.screen');
    const setting = t('palette.kind.setting');
    const mayChange = may.status || may.priority || may.dispatch;
    return [
      ...tabs.map((tab) => ({
        id: `tab ${tab}`,
        glyph: LayoutList,
        text: t(`tab.name.${tab}`),
        keywords: t(`tab.label.${tab}`),
        kind: screen,
        run: () => {
          rememberTab(client, tab);
          go({ pathname: DESK_PATH, search: `tab=${tab}` });
        },
      })),
      ...(views ?? []).map((view) => ({
        id: `view ${view.viewId}`,
        glyph: Bookmark,
        text: view.name,
        keywords: `${t('views.kind')} ${en.views.kind} ${view.author.name}`,
        kind: t('views.kind'),
        run: () => go(viewAddress(view)),
      })),
      ...screens
        .filter(({ needs }) => needs === undefined || permissions.includes(needs))
        .map(({ path, glyph, name, detail }) => ({
          id: `screen ${path}`,
          glyph,
          text: name,
          keywords: detail,
          kind: screen,
          run: () => go(path),
        })),
      ...(mayChange
        ? [
            {
              id: 'undo',
              glyph: Undo2,
              text: t('keys.undo'),
              kind,
              keys: 'Z',
              run: () => void undoLast(client),
            },
          ]
        : []),
      ...(permissions.includes('manage-users')
        ? [
            {
              id: 'invite',
              glyph: UserRoundPlus,
              text: t('users.invite'),
              kind,
              run: () => go('/users', { state: { invite: true } }),
            },
          ]
        : []),
      { id: 'keys', glyph: Keyboard, text: t('keys.title'), kind, keys: '?', run: showKeys },
      ...(pathname === DESK_PATH
        ? // Once the palette is gone, or it would be in the picture.
          [
            {
              id: 'print',
              glyph: Printer,
              text: t('palette.print'),
              kind,
              run: () => void setTimeout(print, 250),
            },
          ]
        : []),
      ...themes
        .filter((one) => one !== theme)
        .map((one) => ({
          id: `theme ${one}`,
          glyph: Contrast,
          text: `${t('bar.theme')}: ${t(themeText[one])}`,
          kind: setting,
          run: () => chooseTheme(one),
        })),
      ...Object.keys(languages)
        .filter(isLanguage)
        .filter((one) => one !== language)
        .map((one) => ({
          id: `language ${one}`,
          glyph: Languages,
          text: `${t('bar.language')}: ${languages[one]}`,
          kind: setting,
          run: () => void changeLanguage(one),
        })),
      { id: 'sign-out', glyph: LogOut, text: t('bar.signOut'), kind, run: () => void signOutAfterGuards() },
    ];
  }, [t, language, client, go, pathname, permissions, theme, views, screens, may, showKeys]);
}
