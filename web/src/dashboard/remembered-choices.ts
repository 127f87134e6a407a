// Tab, sort order, columns and row height: what the address says counts, and where it says nothing, what the user chose
// last, on whichever screen that was. A choice is written to both.
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Preferences } from '../api/preferences.ts';
import { sessionState, type User } from '../api/session.ts';
import { keepPreferences, preferencesOf, stopLoadingPreferences } from '../preferences/preferences.ts';
import { useAddressParam, useChangeParams } from './address-params.ts';
import { isTab, type Tab } from './categories.ts';
import { defaultLayout, type Layout, layoutText, readLayout } from './column-layout.ts';
import { readSort, type Sort, sortText } from './sorting.ts';

export const densities = ['comfortable', 'dense'] as const;
export type Density = (typeof densities)[number];

/** How the orders are shown: as a list, or in columns by stage, where the shop uses stages. */
export const presentations = ['list', 'stages'] as const;
export type Presentation = (typeof presentations)[number];

/** In the address and among the preferences: the tab's own order, or all columns in their order. */
const DEFAULT = 'default';

interface ChoiceFormat<T> {
  fallback: T;
  /** `undefined`: the text is invalid. */
  read(text: string): T | undefined;
  write(value: T): string;
}

const tabFormat: ChoiceFormat<Tab> = {
  fallback: 'all',
  read: (text) => (isTab(text) ? text : undefined),
  write: (tab) => tab,
};
const sortFormat: ChoiceFormat<Sort | null> = {
  fallback: null,
  read: (text) => (text === DEFAULT ? null : (readSort(text) ?? undefined)),
  write: (sort) => sortText(sort) || DEFAULT,
};
const layoutFormat: ChoiceFormat<Layout> = {
  fallback: defaultLayout,
  read: (text) => (text === DEFAULT ? defaultLayout : (readLayout(text) ?? undefined)),
  write: (layout) => layoutText(layout) || DEFAULT,
};
const densityFormat: ChoiceFormat<Density> = {
  fallback: 'comfortable',
  read: (text) => densities.find((one) => one === text),
  write: (density) => density,
};
const presentationFormat: ChoiceFormat<Presentation> = {
  fallback: 'list',
  read: (text) => presentations.find((one) => one === text),
  write: (presentation) => presentation,
};

/** By the names of their parameters in the address. */
const formats = {
  tab: tabFormat,
  sort: sortFormat,
  columns: layoutFormat,
  density: densityFormat,
  show: presentationFormat,
} as const;
type ChoiceName = keyof typeof formats;
const names = Object.keys(formats) as ChoiceName[];

/** What a person starts with who has not chosen anything yet. */
const usedDepartmentStart: Partial<Record<ChoiceName, string>> = { tab: 'used' };

function startOf(user: User | null): Partial<Record<ChoiceName, string>> {
  return user?.roles.length === 1 && user.roles[0] === 'Used' ? usedDepartmentStart : {};
}

const preferenceName = (name: ChoiceName) => `desk.${name}`;

export interface DeskChoices {
  tab: Tab;
  sort: Sort | null;
  layout: Layout;
  density: Density;
  presentation: Presentation;
  chooseTab(tab: Tab): void;
  chooseSort(sort: Sort | null): void;
  chooseLayout(layout: Layout): void;
  chooseDensity(density: Density): void;
  choosePresentation(presentation: Presentation): void;
  /** To open a view is to choose what it says: its link brings it to the screen. */
  chooseView(query: string): void;
}

export function useDeskChoices(): DeskChoices {
  const client = useQueryClient();
  const changeParams = useChangeParams();
  const remembered = useRememberedTexts();
  const tab = useChoice('tab', tabFormat, remembered);
  const sort = useChoice('sort', sortFormat, remembered);
  const layout = useChoice('columns', layoutFormat, remembered);
  const density = useChoice('density', densityFormat, remembered);
  const presentation = useChoice('show', presentationFormat, remembered);

  const choose = useMemo(() => {
    const write = (name: ChoiceName, text: string) => {
      changeParams((params) => params.set(name, text));
      rememberChoices(client, { [name]: text });
    };
    return {
      chooseTab: (value: Tab) => write('tab', tabFormat.write(value)),
      chooseSort: (value: Sort | null) => write('sort', sortFormat.write(value)),
      chooseLayout: (value: Layout) => write('columns', layoutFormat.write(value)),
      chooseDensity: (value: Density) => write('density', densityFormat.write(value)),
      choosePresentation: (value: Presentation) => write('show', presentationFormat.write(value)),
      chooseView: (query: string) => rememberChoices(client, query),
    };
  }, [client, changeParams]);
  return { tab, sort, layout, density, presentation, ...choose };
}

function useChoice<T>(name: ChoiceName, format: ChoiceFormat<T>, remembered: RememberedTexts): T {
  const param = useAddressParam(name);
  const text = remembered[name];
  return useMemo(
    () => readText(format, param) ?? readText(format, text) ?? { value: format.fallback },
    [format, param, text],
  ).value;
}

function readText<T>(format: ChoiceFormat<T>, text: string | null | undefined): { value: T } | null {
  const value = text == null ? undefined : format.read(text);
  return value === undefined ? null : { value };
}

type RememberedTexts = Partial<Record<ChoiceName, string>>;

const nothingRemembered: Preferences = {};

/** What is remembered, and once that is certain, in the address, too, so that a copied link shows the same. */
function useRememberedTexts(): RememberedTexts {
  const client = useQueryClient();
  const changeParams = useChangeParams();
  // A desk is one user's: another one gets a desk of their own.
  const user = signedInUser();
  const uid = user?.uid ?? '';
  const { data = nothingRemembered, fetchStatus } = useQuery({ ...preferencesOf(uid), enabled: uid !== '' });
  const texts = useMemo(() => ({ ...startOf(user), ...deskTexts(data) }), [user, data]);
  const isCertain = fetchStatus === 'idle';

  useEffect(() => {
    if (!isCertain) return;
    changeParams((params) => {
      for (const name of names) {
        const text = texts[name];
        // Of what the address says meanwhile, nothing is written over.
        if (text !== undefined && !isSaid(params, name) && !isDefault(name, text)) params.set(name, text);
      }
    });
  }, [isCertain, texts, changeParams]);

  // Whoever works here already is not moved to another tab.
  useEffect(() => {
    if (isCertain) return;
    const stop = () => stopLoadingPreferences(client, uid);
    window.addEventListener('pointerdown', stop, true);
    window.addEventListener('keydown', stop, true);
    return () => {
      window.removeEventListener('pointerdown', stop, true);
      window.removeEventListener('keydown', stop, true);
    };
  }, [isCertain, client, uid]);
  return texts;
}

function signedInUser(): User | null {
  const session = sessionState();
  return session.status === 'signed-in' ? session.user : null;
}

function deskTexts(preferences: Preferences): RememberedTexts {
  const texts: RememberedTexts = {};
  for (const name of names) {
    const text = preferences[preferenceName(name)];
    if (typeof text === 'string') texts[name] = text;
  }
  return texts;
}

function isSaid(params: URLSearchParams, name: ChoiceName): boolean {
  const text = params.get(name);
  return text !== null && formats[name].read(text) !== undefined;
}

function isDefault(name: ChoiceName, text: string): boolean {
  return text === DEFAULT || text === formats[name].fallback;
}

/** All of them as parameters of an address, the defaults, too; how orders are shown only where it is a choice. */
export function choiceParams(choices: DeskChoices, usesStages: boolean): URLSearchParams {
  const { tab, sort, layout, density, presentation } = choices;
  return new URLSearchParams({
    tab: tabFormat.write(tab),
    sort: sortFormat.write(sort),
    columns: layoutFormat.write(layout),
    density: densityFormat.write(density),
    ...(usesStages && { show: presentationFormat.write(presentation) }),
  });
}

/** `said`: parameters of an address. For whoever chooses a tab or a view from another screen, too. */
export function rememberChoices(client: QueryClient, said: string | Record<string, string>): void {
  const user = signedInUser();
  if (user === null) return;
  const params = new URLSearchParams(said);
  const choices: Record<string, string> = {};
  for (const name of names) {
    const text = params.get(name);
    if (text !== null && isSaid(params, name)) choices[preferenceName(name)] = text;
  }
  keepPreferences(client, user.uid, choices);
}
