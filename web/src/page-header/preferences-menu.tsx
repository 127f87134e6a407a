import { Check, CircleUserRound, Settings2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Link } from 'react-router';
import { useUser } from '../auth/use-session.ts';
import { changeLanguage, isLanguage, type Language, languages } from '../i18n/i18n.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { IconButton } from '../ui/button.tsx';
import { useLandmark } from '../ui/landmark-container.ts';
import { chooseTheme, type Theme, themes, useTheme } from '../ui/theme.ts';

const themeText = {
  system: 'bar.themeSystem',
  light: 'bar.themeLight',
  dark: 'bar.themeDark',
} as const satisfies Record<Theme, string>;

/** The link to the user's account, the theme and the language; the last two are stored on this device. */
export function PreferencesMenu() {
  const container = useLandmark('header');
  const { t, language } = useTranslation();
  const theme = useTheme();
  const user = useUser();
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <IconButton label={t('bar.preferences')} title={t('bar.preferences')}>
          <Settings2 aria-hidden className="size-[18px]" />
        </IconButton>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          className="fade z-40 min-w-48 rounded-lg border border-line bg-raised p-1 shadow-pop"
        >
          {/* Who is signed in stands in the bar, where there is room for it. */}
          <DropdownMenu.Label className={`${heading} max-w-64 truncate md:hidden`}>
            {user.email}
          </DropdownMenu.Label>
          <DropdownMenu.Item asChild className={item}>
            <Link to="/account">
              {t('bar.account')}
              <CircleUserRound aria-hidden className="size-4 text-quiet" />
            </Link>
          </DropdownMenu.Item>
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          <DropdownMenu.Label className={heading}>{t('bar.theme')}</DropdownMenu.Label>
          <DropdownMenu.RadioGroup value={theme}>
            {themes.map((one) => (
              <Choice key={one} value={one} word={t(themeText[one])} choose={() => chooseTheme(one)} />
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          <DropdownMenu.Label className={heading}>{t('bar.language')}</DropdownMenu.Label>
          <DropdownMenu.RadioGroup value={language}>
            {Object.keys(languages)
              .filter(isLanguage)
              .map((one: Language) => (
                <Choice
                  key={one}
                  value={one}
                  lang={one}
                  word={languages[one]}
                  choose={() => void changeLanguage(one)}
                />
              ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const heading = 'px-2.5 pt-1.5 pb-1 text-12 text-quiet';
const item =
  'flex h-9 cursor-pointer items-center justify-between gap-4 rounded-md px-2.5 text-13 outline-none data-highlighted:bg-sunken focus-visible:shadow-[inset_2px_0_0_var(--accent)] max-md:h-11 pointer-coarse:h-11';

function Choice({
  value,
  word: text,
  lang,
  choose,
}: {
  value: string;
  word: string;
  lang?: string;
  choose: () => void;
}) {
  return (
    <DropdownMenu.RadioItem value={value} lang={lang} onSelect={choose} className={item}>
      {text}
      <DropdownMenu.ItemIndicator>
        <Check aria-hidden className="size-4 text-accent" />
      </DropdownMenu.ItemIndicator>
    </DropdownMenu.RadioItem>
  );
}
