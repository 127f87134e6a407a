// The form that adds, corrects or deletes a clock entry, or proposes a correction, with a reason that is stored beside it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { addEntry, type ClockEntry, correctEntry, deleteEntry, proposeCorrection } from '../api/clock.ts';
import { serverNow } from '../api/server-time.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { failedRequest } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { instantOf, type TypedTime, typedTime } from '../shop/typed-time.ts';
import { fromWallTime } from '../shop/wall-time.ts';
import { WallTimeField } from '../shop/wall-time-field.tsx';
import { Button } from '../ui/button.tsx';
import { Field, focusInvalidField, Input } from '../ui/form-field.tsx';
import { RequestReference } from '../ui/request-reference.tsx';

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
  const set: SetField = (name) => (value) => setFields((all) => ({ ...all, [name]: value }));
  const isWhole =
    fields.reason.trim() !== '' &&
    (target.kind === 'delete' ||
      (fields.start.text !== '' &&
        fields.end.text !== '' &&
        (fields.roNumber === '') === (fields.jobNumber === '')));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (focusInvalidField(event.currentTarget)) return;
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
        <div className="text-13 text-danger">
          <p role="alert">{errorMessage(failure, t)}</p>
          <RequestReference request={failedRequest(failure, t)} />
        </div>
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

function TimesAndJob({ fields, set }: { fields: Fields; set: SetField }) {
  const { t } = useTranslation();
  const hint = useId();
  const times = { start: t('clock.entries.start'), end: t('clock.entries.end') } as const;
  const numbers = { roNumber: t('clock.entries.roNumber'), jobNumber: t('clock.entries.jobNumber') } as const;
  return (
    <>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {(['start', 'end'] as const).map((name) => (
          <WallTimeField key={name} label={times[name]} value={fields[name]} change={set(name)} />
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
  start: TypedTime;
  end: TypedTime;
  /** Both '': without a job. */
  roNumber: string;
  jobNumber: string;
  reason: string;
}

type SetField = <Name extends keyof Fields>(name: Name) => (value: Fields[Name]) => void;

function fieldsOf(target: EntryTarget): Fields {
  if (target.kind === 'add') {
    const { day } = target;
    const at = (time: string) => typedTime(fromWallTime(`${day}T${time}`));
    return { start: at('08:00'), end: at('09:00'), roNumber: '', jobNumber: '', reason: '' };
  }
  const { startedAt, endedAt, roNumber, jobNumber } = target.entry;
  return {
    start: typedTime(Date.parse(startedAt)),
    end: typedTime(endedAt === null ? serverNow() : Date.parse(endedAt)),
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
function instant(typed: TypedTime, before: string | null): string {
  const at = instantOf(typed);
  if (at === null) throw new Error('The form was sent with a time that does not exist.');
  const isUntouched = before !== null && instantOf(typedTime(Date.parse(before))) === at;
  return isUntouched ? before : new Date(at).toISOString();
}

interface TextFieldProps {
  label: string;
  value: string;
  set(value: string): void;
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
