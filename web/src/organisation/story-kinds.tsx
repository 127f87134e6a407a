// Which questions a story's interview asks about jobs of an opcode. Owners write, others read.
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { type StoryKinds as Kinds, putStoryKind } from '../api/tech-stories.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Field, Input, Select } from '../ui/form-field.tsx';
import { LoadingLines } from '../ui/load-state.tsx';
import { FailedLine } from '../ui/panel.tsx';
import { useOrganisationMutation } from './mutations.ts';
import { storyKinds } from './organisation.ts';

export function StoryKinds({ mayManage }: { mayManage: boolean }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(storyKinds);
  return (
    <section aria-label={t('organisation.storyKind.title')} className="flex flex-col gap-2.5">
      <p className="text-13 text-quiet">{t('organisation.storyKind.hint')}</p>
      {data === undefined && error !== null ? (
        <FailedLine
          text={t('organisation.storyKind.failed')}
          reason={errorMessage(error, t)}
          retryLabel={t('organisation.retry')}
          retry={() => void refetch()}
        />
      ) : data === undefined ? (
        <LoadingLines label={t('organisation.loading')} />
      ) : (
        <>
          {mayManage && <KindForm kinds={data.kinds} />}
          <KindList codes={data.codes} mayManage={mayManage} />
        </>
      )}
    </section>
  );
}

/** What a kind is called; one that this page does not know yet by its id. */
function useKindName(): (kind: string) => string {
  const { t } = useTranslation();
  return (kind) => t(`organisation.storyKind.name.${kind as 'general'}`, { defaultValue: kind });
}

function KindForm({ kinds }: { kinds: readonly string[] }) {
  const { t } = useTranslation();
  const nameOf = useKindName();
  const { run, busy } = useOrganisationMutation();
  const [pattern, typePattern] = useState('');
  const [kind, choose] = useState('');
  const written = pattern.trim().toUpperCase();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (written === '' || kind === '') return;
    const done = await run({
      work: () => putStoryKind(written, kind),
      done: t('organisation.storyKind.added', { pattern: written }),
      failed: t('organisation.storyKind.notSet', { pattern: written }),
    });
    if (done) typePattern('');
  };
  return (
    <form
      noValidate
      aria-label={t('organisation.storyKind.add')}
      onSubmit={(event) => void submit(event)}
      className="flex flex-col gap-2.5"
    >
      <div className="grid grid-cols-[8rem_1fr] items-end gap-2.5">
        <Field label={t('organisation.storyKind.pattern')}>
          <Input
            value={pattern}
            onChange={(event) => typePattern(event.target.value)}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            placeholder="BRK*"
            className="font-mono"
          />
        </Field>
        <Field label={t('organisation.storyKind.kind')}>
          <Select value={kind} onChange={({ target: { value } }) => choose(value)}>
            <option value="" disabled>
              {t('organisation.storyKind.choose')}
            </option>
            {kinds.map((one) => (
              <option key={one} value={one}>
                {nameOf(one)}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <div className="flex justify-end">
        <Button type="submit" disabled={written === '' || kind === '' || busy}>
          {t('organisation.storyKind.add')}
        </Button>
      </div>
    </form>
  );
}

function KindList({ codes, mayManage }: { codes: Kinds['codes']; mayManage: boolean }) {
  const { t } = useTranslation();
  if (codes.length === 0) return <p className="text-13 text-quiet">{t('organisation.storyKind.none')}</p>;
  return (
    <ul
      aria-label={t('organisation.storyKind.title')}
      className="flex flex-col divide-y divide-line rounded-lg border border-line"
    >
      {codes.map((code) => (
        <KindLine key={code.pattern} code={code} mayManage={mayManage} />
      ))}
    </ul>
  );
}

function KindLine({ code, mayManage }: { code: Kinds['codes'][number]; mayManage: boolean }) {
  const { t } = useTranslation();
  const nameOf = useKindName();
  const { run, busy } = useOrganisationMutation();
  const { pattern, kind } = code;
  const remove = () =>
    run({
      work: () => putStoryKind(pattern, null),
      done: t('organisation.storyKind.deleted', { pattern }),
      failed: t('organisation.storyKind.notDeleted', { pattern }),
    });
  return (
    <li className="flex min-h-12 items-center gap-1 py-1 pr-1 pl-3">
      <div className="min-w-0 flex-1">
        <p className="font-mono text-13 font-medium break-all">{pattern}</p>
        <p className="text-12 text-quiet">{nameOf(kind)}</p>
      </div>
      {mayManage && (
        <IconButton
          label={t('organisation.storyKind.deleteOf', { pattern })}
          title={t('organisation.delete')}
          disabled={busy}
          onClick={() => void remove()}
          className="hover:text-danger"
        >
          <Trash2 aria-hidden className="size-4" />
        </IconButton>
      )}
    </li>
  );
}
