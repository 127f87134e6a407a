// The form that adds, corrects or deletes a clock entry, or proposes a correction, with a reason that is stored beside it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { addEntry, type ClockEntry, correctEntry, deleteEntry, proposeCorrection } from '../api/clock.ts';
import { serverNow } from '../api/server-time.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { fromWallTime, wallTime } from '../shop/wall-time.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/form-field.tsx';

export type EntryTarget =
  | { kind: 'add' /** 'YYYY-MM-DD' at the shop. */; day: string }
  | { kind: 'correct' | 'delete' | 'propose'; entry: ClockEntry };

/** Characters; the server takes no more. */
const MAX_REASON_LENGTH = 500;

interface EntryFormProps {
  technician: number;
  target: EntryTarget;
  done(): void;
  cancel(): void;
}

export function EntryForm({ technician, target, done, cancel }: EntryFormProps) {
  const { t } = useTranslation();
  const [fields, setFields] = useState(() => fieldsOf(target));
  const client = useQueryClient();
  const mutationKey = ['clock-entry', technician, target.kind === 'add' ? null : target.entry.entryId];
  const {
    isPending: saving,
    error: failure,
    mutate: save,
  } = useMutation({ mutationKey, mutationFn: () => saveEntry(technician, target, fields), onSuccess: done });
  const set = (name: keyof Fields) => (value: string) => setFields((all) => ({ ...all, [name]: value }));
  const isWhole =
    fields.reason.trim() !== '' &&
    (target.kind === 'delete' ||
      (fields.start !== '' && fields.end !== '' && (fields.roNumber === '') === (fields.jobNumber === '')));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // A second press may come before the page shows that the first is on its way: no entry is made twice.
        if (client.isMutating({ mutationKey }) === 0) save();
      }}
      className="mb-3 flex flex-col gap-3 rounded-lg bg-sunken p-3"
    >
      <h4 className="text-13 font-semibold">{t(`clock.entries.${target.kind}Title`)}</h4>
      {target.kind !== 'delete' && <TimesAndJob fields={fields} set={set} />}
      <TextField
        label={t('clock.entries.reason')}
        value={fields.reason}
        set={set('reason')}
        maxLength={MAX_REASON_LENGTH}
      >
        <span className="text-12 font-normal text-quiet">{t('clock.entries.reasonHint')}</span>
      </TextField>
      {failure !== null && (
        <p role="alert" className="text-13 text-danger">
          {errorMessage(failure, t)}
        </p>
      )}
      <div className="flex gap-2.5">
        <Button
          type="submit"
          variant={target.kind === 'delete' ? 'destructive' : 'primary'}
          disabled={!isWhole || saving}
          className="max-md:h-11"
        >
          {saving ? t('clock.entries.saving') : t(verbOf[target.kind])}
        </Button>
        <Button onClick={cancel} className="max-md:h-11">
          {t('clock.entries.cancel')}
        </Button>
      </div>
    </form>
  );
}

const verbOf = {
  add: 'clock.entries.save',
  correct: 'clock.entries.save',
  delete: 'clock.entries.delete',
  propose: 'clock.entries.propose',
} as const;

function TimesAndJob({
  fields,
  set,
}: {
  fields: Fields;
  set: (name: keyof Fields) => (value: string) => void;
}) {
  const { t } = useTranslation();
  const hint = useId();
  const times = { start: t('clock.entries.start'), end: t('clock.entries.end') } as const;
  const numbers = { roNumber: t('clock.entries.roNumber'), jobNumber: t('clock.entries.jobNumber') } as const;
  return (
    <>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {(['start', 'end'] as const).map((name) => (
          <TextField
            key={name}
            label={times[name]}
            type="datetime-local"
            value={fields[name]}
            set={set(name)}
          />
        ))}
        {(['roNumber', 'jobNumber'] as const).map((name) => (
          <TextField
            key={name}
            label={numbers[name]}
            inputMode="numeric"
            describedBy={hint}
            value={fields[name]}
            set={set(name)}
          />
        ))}
      </div>
      <p id={hint} className="text-12 text-quiet">
        {t('clock.entries.noJobHint')}
      </p>
    </>
  );
}

interface Fields {
  /** 'YYYY-MM-DDTHH:MM' at the shop. */
  start: string;
  end: string;
  /** Both '': without a job. */
  roNumber: string;
  jobNumber: string;
  reason: string;
}

function fieldsOf(target: EntryTarget): Fields {
  if (target.kind === 'add') {
    const { day } = target;
    return { start: `${day}T08:00`, end: `${day}T09:00`, roNumber: '', jobNumber: '', reason: '' };
  }
  const { startedAt, endedAt, roNumber, jobNumber } = target.entry;
  return {
    start: wallTime(Date.parse(startedAt)),
    end: wallTime(endedAt === null ? serverNow() : Date.parse(endedAt)),
    roNumber: roNumber === null ? '' : String(roNumber),
    jobNumber: jobNumber === null ? '' : String(jobNumber),
    reason: '',
  };
}

function saveEntry(technician: number, target: EntryTarget, fields: Fields): Promise<void> {
  const reason = fields.reason.trim();
  if (target.kind === 'delete') return deleteEntry(technician, target.entry.entryId, reason);
  const number = (text: string) => (text.trim() === '' ? null : Number(text));
  const entry = {
    startedAt: instant(fields.start, target.kind === 'add' ? null : target.entry.startedAt),
    endedAt: instant(fields.end, target.kind === 'add' ? null : target.entry.endedAt),
    roNumber: number(fields.roNumber),
    jobNumber: number(fields.jobNumber),
    reason,
  };
  switch (target.kind) {
    case 'add':
      return addEntry(technician, entry);
    case 'correct':
      return correctEntry(technician, target.entry.entryId, entry);
    case 'propose':
      return proposeCorrection(technician, target.entry.entryId, entry);
  }
}

/** An untouched time keeps its seconds, which the field does not show. */
function instant(field: string, before: string | null): string {
  const isUntouched = before !== null && wallTime(Date.parse(before)) === field;
  return isUntouched ? before : new Date(fromWallTime(field)).toISOString();
}

interface TextFieldProps {
  label: string;
  value: string;
  set(value: string): void;
  type?: 'datetime-local';
  inputMode?: 'numeric';
  maxLength?: number;
  describedBy?: string;
  children?: ReactNode;
}

function TextField({ label, set, describedBy, children, ...input }: TextFieldProps) {
  return (
    <Field label={label}>
      <Input {...input} aria-describedby={describedBy} onChange={(event) => set(event.target.value)} />
      {children}
    </Field>
  );
}
