// The button at the desk's tools: opens a named view, and leads to the sheet where views are saved and changed.
import { useQuery } from '@tanstack/react-query';
import { Bookmark, Check } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import type { NamedView } from '../api/views.ts';
import { useUser } from '../auth/use-session.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.tsx';
import { namedViews, viewAddress } from './named-views.ts';

const ViewsSheet = lazy(async () => ({ default: (await import('./views-sheet.tsx')).ViewsSheet }));

/** `query`: of the view that is on screen. */
export function ViewsMenu({ query }: { query: string }) {
  const { t } = useTranslation();
  const [managing, manage] = useState(false);
  const button = (
    <IconButton label={t('views.title')} title={t('views.title')} className="pointer-coarse:size-11">
      <Bookmark aria-hidden className="size-[18px]" />
    </IconButton>
  );
  return (
    <>
      <Menu trigger={button}>
        <ViewItems query={query} />
        <MenuItem act={() => manage(true)}>{t('views.manage')}</MenuItem>
      </Menu>
      {managing && (
        <Suspense>
          <ViewsSheet query={query} close={() => manage(false)} />
        </Suspense>
      )}
    </>
  );
}

function ViewItems({ query }: { query: string }) {
  const { t } = useTranslation();
  const { uid } = useUser();
  const { data: views = [] } = useQuery(namedViews);
  if (views.length === 0) return null;
  const own = views.filter(({ author }) => author.uid === uid);
  const others = views.filter((view) => !own.includes(view));
  return (
    <>
      {own.length > 0 && <MenuLabel>{t('views.mine')}</MenuLabel>}
      {own.map((view) => (
        <ViewItem key={view.viewId} view={view} isShown={view.query === query} />
      ))}
      {others.length > 0 && <MenuLabel>{t('views.others')}</MenuLabel>}
      {others.map((view) => (
        <ViewItem key={view.viewId} view={view} isShown={view.query === query} detail={view.author.name} />
      ))}
      <MenuSeparator />
    </>
  );
}

function ViewItem({ view, isShown, detail }: { view: NamedView; isShown: boolean; detail?: string }) {
  return (
    <MenuItem asChild>
      <Link to={viewAddress(view)} aria-current={isShown || undefined} className="max-w-80">
        <span className="min-w-0 flex-1 truncate" title={view.name}>
          {view.name}
        </span>
        {detail !== undefined && <span className="shrink-0 text-12 text-quiet">{detail}</span>}
        {isShown && <Check aria-hidden className="size-4 shrink-0 text-accent" />}
      </Link>
    </MenuItem>
  );
}
