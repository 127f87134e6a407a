// One named view in the sheet, with what can be done with it.
import { Link2, Pencil, Replace, Trash2, Users, UserX } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { changeView, deleteView, type NamedView } from '../api/views.ts';
import { usePermission, useUser } from '../auth/use-session.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { copyText } from '../ui/clipboard.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Input } from '../ui/form-field.tsx';
import { closeOnEscape } from '../ui/sheet.tsx';
import { showToast } from '../ui/toaster.ts';
import { useViewMutation, viewAddress } from './named-views.ts';
import { MAX_NAME_LENGTH } from './view-name.ts';

interface ViewLineProps {
  view: NamedView;
  /** Of the view that is on screen. */
  query: string;
  opened(): void;
}

export function ViewLine({ view, query, opened }: ViewLineProps) {
  const { t } = useTranslation();
  const { uid } = useUser();
  const [renaming, setRenaming] = useState(false);
  const isOwn = view.author.uid === uid;
  return (
    <li className="flex flex-wrap items-center gap-x-2 py-1.5">
      {renaming ? (
        <RenameForm view={view} close={() => setRenaming(false)} />
      ) : (
        <>
          {/* It takes over the sheet's entry in the history. */}
          <Link
            replace
            to={viewAddress(view)}
            onClick={opened}
            aria-current={view.query === query || undefined}
            className="min-w-0 flex-1 basis-40 py-1.5 text-14 font-medium wrap-anywhere text-accent hover:underline max-md:py-3"
          >
            {view.name}
          </Link>
          <p className="text-12 text-quiet">
            {!isOwn ? t('views.by', { name: view.author.name }) : view.shared ? t('views.shared') : ''}
          </p>
          <ViewTools view={view} query={query} isOwn={isOwn} rename={() => setRenaming(true)} />
        </>
      )}
    </li>
  );
}

interface ViewToolsProps extends Pick<ViewLineProps, 'view' | 'query'> {
  isOwn: boolean;
  rename(): void;
}

function ViewTools({ view, query, isOwn, rename }: ViewToolsProps) {
  const { t } = useTranslation();
  const { name, shared } = view;
  const mayDeleteShared = usePermission('delete-shared-views');
  const mutate = useViewMutation();
  const [asking, ask] = useState<'replace' | 'delete' | null>(null);
  const share = () =>
    void mutate({
      work: () => changeView(view, { shared: !shared }),
      done: t(shared ? 'views.unsharedDone' : 'views.sharedDone', { name }),
    });
  return (
    <div className="flex">
      <Tool label={t('views.copyLink', { name })} glyph={Link2} act={() => void copyLink(view, t)} />
      {isOwn && (
        <>
          <Tool
            label={t(shared ? 'views.unshare' : 'views.share', { name })}
            glyph={shared ? UserX : Users}
            act={share}
          />
          <Tool label={t('views.rename', { name })} glyph={Pencil} act={rename} />
          <Tool label={t('views.replace', { name })} glyph={Replace} act={() => ask('replace')} />
        </>
      )}
      {(isOwn || mayDeleteShared) && (
        <Tool label={t('views.delete', { name })} glyph={Trash2} act={() => ask('delete')} />
      )}
      {asking !== null && (
        <ViewQuestion about={asking} view={view} query={query} isOwn={isOwn} close={() => ask(null)} />
      )}
    </div>
  );
}

function Tool({ label, glyph: Glyph, act }: { label: string; glyph: typeof Link2; act(): void }) {
  return (
    <IconButton label={label} title={label} onClick={act} className="max-md:size-11 pointer-coarse:size-11">
      <Glyph aria-hidden className="size-4" />
    </IconButton>
  );
}

interface ViewQuestionProps extends Omit<ViewToolsProps, 'rename'> {
  about: 'replace' | 'delete';
  close(): void;
}

/** Before what was saved is lost. */
function ViewQuestion({ about, view, query, isOwn, close }: ViewQuestionProps) {
  const { t } = useTranslation();
  const mutate = useViewMutation();
  const { name, author } = view;
  const request =
    about === 'delete'
      ? { work: () => deleteView(view), done: t('views.deleted', { name }) }
      : { work: () => changeView(view, { query }), done: t('views.replaced', { name }) };
  const lost = isOwn
    ? t(view.shared ? 'views.ask.deleteShared' : 'views.ask.deleteOwn')
    : t('views.ask.deleteOthers', { name: author.name });
  return (
    <ConfirmDialog
      title={t(`views.ask.${about}`, { name })}
      detail={about === 'delete' ? lost : t('views.ask.replaceDetail')}
      verb={t(`views.ask.${about}Verb`)}
      cancelLabel={t('decision.cancel')}
      variant={about === 'delete' ? 'destructive' : 'primary'}
      confirm={() => {
        void mutate(request);
        close();
      }}
      close={close}
    />
  );
}

function RenameForm({ view, close }: { view: NamedView; close: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState(view.name);
  const mutate = useViewMutation();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const trimmed = name.trim();
    if (trimmed === '') return;
    const work = () => changeView(view, { name: trimmed });
    if (trimmed === view.name || (await mutate({ work, done: t('views.saved', { name: trimmed }) }))) close();
  };
  return (
    <form
      onSubmit={(event) => void save(event)}
      {...closeOnEscape(close)}
      className="flex min-w-0 flex-1 items-center gap-2"
    >
      <Input
        // The form takes the place of the button that was pressed.
        autoFocus
        aria-label={t('views.newName', { name: view.name })}
        value={name}
        maxLength={MAX_NAME_LENGTH}
        required
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" variant="primary" className="max-md:h-11">
        {t('views.save')}
      </Button>
      <Button onClick={close} className="max-md:h-11">
        {t('decision.cancel')}
      </Button>
    </form>
  );
}

function copyLink(view: NamedView, t: ReturnType<typeof useTranslation>['t']): Promise<void> {
  return copyText(location.origin + viewAddress(view)).then(
    () => void showToast({ text: t('views.linkCopied', { name: view.name }) }),
    () => void showToast({ tone: 'destructive', text: t('views.linkNotCopied') }),
  );
}
