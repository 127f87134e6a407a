// A level's name: of a new one, or another one for the one that is there.
import { useId, useRef, useState } from 'react';
import { addLevel, changeLevel, type Level } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/form-field.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { useOrganisationMutation } from './mutations.ts';

/** `level`: null for a new one. */
export function LevelDialog({ level, close }: { level: Level | null; close: () => void }) {
  const { t } = useTranslation();
  const { run: mutate, busy } = useOrganisationMutation();
  const form = useId();
  const field = useRef<HTMLInputElement>(null);
  const [name, type] = useState(level?.name ?? '');
  const typed = name.trim();
  const isReady = typed !== '' && typed !== level?.name;
  const submit = async () => {
    if (!isReady) return;
    const done = await mutate({
      work: () => (level === null ? addLevel(typed) : changeLevel(level.idLevel, { name: typed })),
      done: t(level === null ? 'organisation.level.added' : 'organisation.level.renamed', { level: typed }),
      failed: t('organisation.failed.level', { level: typed }),
    });
    if (done) close();
  };
  const verb = t(level === null ? 'organisation.level.add' : 'organisation.level.rename');
  return (
    <Sheet
      open
      narrow
      close={close}
      title={
        level === null
          ? t('organisation.level.addTitle')
          : t('organisation.level.renameTitle', { level: level.name })
      }
      closeLabel={t('organisation.close')}
      initialFocus={() => field.current}
      footer={
        <>
          <Button onClick={close}>{t('organisation.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" disabled={!isReady || busy}>
            {verb}
          </Button>
        </>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field label={t('organisation.level.name')}>
          <Input
            ref={field}
            value={name}
            onChange={(event) => type(event.target.value)}
            maxLength={100}
            autoComplete="off"
          />
        </Field>
      </form>
    </Sheet>
  );
}
