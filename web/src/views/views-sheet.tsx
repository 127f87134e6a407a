// Saves the view that is on screen under a name, and opens, renames, replaces, shares and deletes named views.
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { addView, type NamedView } from '../api/views.ts';
import { useUser } from '../auth/use-session.ts';
import { failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/form-field.tsx';
import { FailedLine } from '../ui/panel.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { namedViews, useViewMutation } from './named-views.ts';
import { ViewLine } from './view-line.tsx';
import { MAX_NAME_LENGTH } from './view-name.ts';

interface ViewsSheetProps {
  /** Of the view that is on screen. */
  query: string;
  /** Called with the query of the view that is opened. */
  choose(query: string): void;
  close(): void;
}

export function ViewsSheet({ query, choose, close }: ViewsSheetProps) {
  const { t } = useTranslation();
  const { uid } = useUser();
  const field = useRef<HTMLInputElement>(null);
  const { data: views, error, isFetching, refetch } = useQuery(namedViews);
  const own = views?.filter(({ author }) => author.uid === uid) ?? [];
  const others = views?.filter(({ author }) => author.uid !== uid) ?? [];
  return (
    <Sheet
      open
      close={close}
      title={t('views.title')}
      closeLabel={t('details.close')}
      initialFocus={() => field.current}
    >
      <SaveForm query={query} field={field} />
      {views === undefined && error !== null && (
        <FailedLine
          text={t('views.notLoaded')}
          {...failureReason(error, t)}
          retryLabel={t('live.retry')}
          retry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      <ViewList title={t('views.mine')} views={own} query={query} choose={choose} close={close} />
      <ViewList title={t('views.others')} views={others} query={query} choose={choose} close={close} />
    </Sheet>
  );
}

interface SaveFormProps {
  query: string;
  field: React.RefObject<HTMLInputElement | null>;
}

function SaveForm({ query, field }: SaveFormProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const mutate = useViewMutation();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const trimmed = name.trim();
    if (trimmed === '') return;
    const work = () => addView({ name: trimmed, query });
    if (await mutate({ work, done: t('views.saved', { name: trimmed }) })) setName('');
  };
  return (
    <form onSubmit={(event) => void save(event)} className="flex flex-col gap-1.5">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <Field label={t('views.name')}>
            <Input
              ref={field}
              value={name}
              maxLength={MAX_NAME_LENGTH}
              required
              onChange={(event) => setName(event.target.value)}
            />
          </Field>
        </div>
        <Button type="submit" variant="primary" className="max-md:h-11">
          {t('views.save')}
        </Button>
      </div>
      <p className="text-12 text-quiet">{t('views.hint')}</p>
    </form>
  );
}

interface ViewListProps extends ViewsSheetProps {
  title: string;
  views: readonly NamedView[];
}

function ViewList({ title, views, query, choose, close }: ViewListProps) {
  if (views.length === 0) return null;
  return (
    <section aria-label={title} className="mt-6">
      <h3 className="mb-1 text-13 font-semibold">{title}</h3>
      <ul className="divide-y divide-line">
        {views.map((view) => (
          <ViewLine
            key={view.viewId}
            view={view}
            query={query}
            opened={() => {
              choose(view.query);
              close();
            }}
          />
        ))}
      </ul>
    </section>
  );
}
