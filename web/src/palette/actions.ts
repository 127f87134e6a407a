// The palette's actions that are not about one order: tabs, other screens, and this device's settings.
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { Bookmark, Contrast, Keyboard, Languages, LogOut, Printer, Undo2, UserRoundPlus } from 'lucide-react';
import { useMemo } from 'react';
import { useLocation } from 'react-router';
import type { Permission } from '../api/session.ts';
import type { NamedView } from '../api/views.ts';
import { signOutAfterGuards } from '../auth/sign-out.ts';
import { useUser } from '../auth/use-session.ts';
import { tabs } from '../dashboard/categories.ts';
import { tabGlyphs } from '../dashboard/category-tabs.tsx';
import { rememberChoices } from '../dashboard/remembered-choices.ts';
import { en } from '../i18n/en.ts';
import { changeLanguage, isLanguage, languages } from '../i18n/i18n.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import type { ScreenLink } from '../page-header/screen-links.tsx';
import type { OrderPermissions } from '../repair-order/order-actions.ts';
import { undoLast } from '../repair-order/undo.ts';
import { type ScreenTool, useScreenTools } from '../ui/screen-tools.ts';
import { chooseTheme, type Theme, themes, useTheme } from '../ui/theme.ts';
import { namedViews, viewAddress } from '../views/named-views.ts';
import { afterPalette } from './after-palette.ts';
import type { PaletteAction } from './suggestion.ts';
import { useGo } from './use-go.ts';

export const DESK_PATH = '/dashboard';

const themeText = { system: 'bar.themeSystem', light: 'bar.themeLight', dark: 'bar.themeDark' } as const;

interface ActionContext {
  t: TFunction;
  client: QueryClient;
  go: ReturnType<typeof useGo>;
  pathname: string;
  permissions: readonly Permission[];
}

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
  const tools = useScreenTools();
  const { data: views } = useQuery(namedViews);
  return useMemo(() => {
    const context = { t, client, go, pathname, permissions };
    return [
      // What can be done here, then where one can go.
      ...toolActions(tools, t),
      ...changeActions(may, context),
      ...printActions(context),
      {
        id: 'keys',
        glyph: Keyboard,
        text: t('keys.title'),
        kind: t('palette.kind.action'),
        keys: '?',
        run: showKeys,
      },
      ...tabActions(screens, context),
      ...(views ?? []).map((view) => viewAction(view, context)),
      ...screenActions(screens, context),
      ...themeActions(theme, t),
      ...languageActions(language, t),
      {
        id: 'sign-out',
        glyph: LogOut,
        text: t('bar.signOut'),
        kind: t('palette.kind.action'),
        run: () => void signOutAfterGuards(),
      },
    ];
  }, [t, language, client, go, pathname, permissions, theme, tools, views, screens, may, showKeys]);
}

/** The first tab is the desk: it is found by the name of the screen, too. */
function tabActions(screens: readonly ScreenLink[], { t, client, go }: ActionContext): PaletteAction[] {
  const desk = screens.find(({ path }) => path === DESK_PATH);
  return tabs.map((tab) => ({
    id: `tab ${tab}`,
    glyph: tabGlyphs[tab],
    text: t(`tab.name.${tab}`),
    keywords: [t(`tab.label.${tab}`), ...(tab === 'all' ? [desk?.name, desk?.detail] : [])].join(' '),
    kind: t('palette.kind.screen'),
    run: () => {
      rememberChoices(client, { tab });
      go({ pathname: DESK_PATH, search: `tab=${tab}` });
    },
  }));
}

function viewAction(view: NamedView, { t, client, go }: ActionContext): PaletteAction {
  return {
    id: `view ${view.viewId}`,
    glyph: Bookmark,
    text: view.name,
    keywords: `${t('views.kind')} ${en.views.kind} ${view.author.name}`,
    kind: t('views.kind'),
    run: () => {
      rememberChoices(client, view.query);
      go(viewAddress(view));
    },
  };
}

function screenActions(
  screens: readonly ScreenLink[],
  { t, go, permissions }: ActionContext,
): PaletteAction[] {
  return screens
    .filter(({ path, needs }) => path !== DESK_PATH && (needs === undefined || permissions.includes(needs)))
    .map(({ path, glyph, name, detail }) => ({
      id: `screen ${path}`,
      glyph,
      text: name,
      keywords: detail,
      kind: t('palette.kind.screen'),
      run: () => go(path),
    }));
}

function changeActions(
  may: OrderPermissions,
  { t, client, go, permissions }: ActionContext,
): PaletteAction[] {
  const kind = t('palette.kind.action');
  const actions: PaletteAction[] = [];
  if (may.status || may.priority || may.dispatch) {
    const run = () => void undoLast(client);
    actions.push({ id: 'undo', glyph: Undo2, text: t('keys.undo'), kind, keys: 'Z', run });
  }
  if (permissions.includes('manage-users')) {
    const run = () => go('/users', { state: { invite: true } });
    actions.push({ id: 'invite', glyph: UserRoundPlus, text: t('users.invite'), kind, run });
  }
  return actions;
}

/** What the screen's tools do. The screen says which it has. */
function toolActions(tools: readonly ScreenTool[], t: TFunction): PaletteAction[] {
  return tools.map(({ id, run, ...tool }) => ({
    ...tool,
    id: `tool ${id}`,
    kind: t('palette.kind.action'),
    run: () => afterPalette(run),
  }));
}

function printActions({ t, pathname }: ActionContext): PaletteAction[] {
  if (pathname !== DESK_PATH) return [];
  const run = () => afterPalette(print);
  return [{ id: 'print', glyph: Printer, text: t('palette.print'), kind: t('palette.kind.action'), run }];
}

function themeActions(theme: Theme, t: TFunction): PaletteAction[] {
  return themes
    .filter((one) => one !== theme)
    .map((one) => ({
      id: `theme ${one}`,
      glyph: Contrast,
      text: `${t('bar.theme')}: ${t(themeText[one])}`,
      kind: t('palette.kind.setting'),
      run: () => chooseTheme(one),
    }));
}

function languageActions(language: string, t: TFunction): PaletteAction[] {
  return Object.keys(languages)
    .filter(isLanguage)
    .filter((one) => one !== language)
    .map((one) => ({
      id: `language ${one}`,
      glyph: Languages,
      text: `${t('bar.language')}: ${languages[one]}`,
      kind: t('palette.kind.setting'),
      run: () => void changeLanguage(one),
    }));
}
