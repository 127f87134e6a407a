// The links to the user's account and to what the product says of itself, the theme and the language; the last two are
// stored on this device.
import { CircleUserRound, Info } from 'lucide-react';
import { Link } from 'react-router';
import { useUser } from '../auth/use-session.ts';
import { changeLanguage, isLanguage, languages } from '../i18n/i18n.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { MenuChoices, MenuItem, MenuLabel, MenuSeparator, OpenedMenu } from '../ui/menu.tsx';
import type { Opened } from '../ui/opener.ts';
import { chooseTheme, type Theme, themes, useTheme } from '../ui/theme.ts';

const themeText = {
  system: 'bar.themeSystem',
  light: 'bar.themeLight',
  dark: 'bar.themeDark',
} as const satisfies Record<Theme, string>;

export function PreferencesItems({ opened }: { opened: Opened }) {
  const { t, language } = useTranslation();
  const theme = useTheme();
  const user = useUser();
  return (
    <OpenedMenu opened={opened}>
      {/* Who is signed in stands in the bar, where there is room for it. */}
      <MenuLabel className="max-w-64 truncate md:hidden">{user.email}</MenuLabel>
      <MenuItem asChild>
        <Link to="/account" className="justify-between">
          {t('bar.account')}
          <CircleUserRound aria-hidden className="size-4 text-quiet" />
        </Link>
      </MenuItem>
      <MenuSeparator />
      <MenuChoices
        label={t('bar.theme')}
        choices={themes.map((value) => ({ value, text: t(themeText[value]) }))}
        chosen={theme}
        choose={chooseTheme}
      />
      <MenuSeparator />
      <MenuChoices
        label={t('bar.language')}
        choices={Object.keys(languages)
          .filter(isLanguage)
          .map((value) => ({ value, text: languages[value], lang: value }))}
        chosen={language}
        choose={(one) => void changeLanguage(one)}
      />
      <MenuSeparator />
      <MenuItem asChild>
        <Link to="/about" className="justify-between">
          {t('bar.about')}
          <Info aria-hidden className="size-4 text-quiet" />
        </Link>
      </MenuItem>
    </OpenedMenu>
  );
}
