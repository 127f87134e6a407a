import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { Link } from 'react-router';
import type { NamedView } from '../api/views.ts';
import { useUser } from '../auth/use-session.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { MenuItem, MenuLabel, MenuSeparator, OpenedMenu } from '../ui/menu.tsx';
import type { Opened } from '../ui/opener.ts';
import { namedViews, viewAddress } from './named-views.ts';

interface ViewsItemsProps {
  opened: Opened;
  /** Of the view that is on screen. */
  query: string;
  /** Called with the query of the view that is opened. */
  choose(query: string): void;
  /** Opens the sheet where views are saved and changed. */
  manage(): void;
}

export function ViewsItems({ opened, query, choose, manage }: ViewsItemsProps) {
  const { t } = useTranslation();
  return (
    <OpenedMenu opened={opened}>
      <ViewItems query={query} choose={choose} />
      <MenuItem act={manage}>{t('views.manage')}</MenuItem>
    </OpenedMenu>
  );
}

function ViewItems({ query, choose }: Pick<ViewsItemsProps, 'query' | 'choose'>) {
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
        <ViewItem key={view.viewId} view={view} isShown={view.query === query} choose={choose} />
      ))}
      {others.length > 0 && <MenuLabel>{t('views.others')}</MenuLabel>}
      {others.map((view) => (
        <ViewItem
          key={view.viewId}
          view={view}
          isShown={view.query === query}
          choose={choose}
          detail={view.author.name}
        />
      ))}
      <MenuSeparator />
    </>
  );
}

interface ViewItemProps extends Pick<ViewsItemsProps, 'choose'> {
  view: NamedView;
  isShown: boolean;
  detail?: string;
}

function ViewItem({ view, isShown, choose, detail }: ViewItemProps) {
  return (
    <MenuItem asChild>
      <Link
        to={viewAddress(view)}
        onClick={() => choose(view.query)}
        aria-current={isShown || undefined}
        className="max-w-80"
      >
        <span className="min-w-0 flex-1 truncate" title={view.name}>
          {view.name}
        </span>
        {detail !== undefined && <span className="shrink-0 text-12 text-quiet">{detail}</span>}
        {isShown && <Check aria-hidden className="size-4 shrink-0 text-accent" />}
      </Link>
    </MenuItem>
  );
}
