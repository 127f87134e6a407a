// Adds a technician who is on no order and has no account yet.
import { type FormEvent, type RefObject, useId, useRef, useState } from 'react';
import { addTechnician, type Level } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/form-field.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { HoursInput, parseHours } from './hours-input.tsx';
import { type ChosenLevel, LevelSelect, levelChosen } from './level-select.tsx';
import { useOrganisationMutation } from './mutations.ts';

const DEFAULT_HOURS = '8';

export function NewTechnician({ levels, close }: { levels: readonly Level[]; close: () => void }) {
  const { t } = useTranslation();
  const { run: mutate, busy } = useOrganisationMutation();
  const form = useId();
  const first = useRef<HTMLInputElement>(null);
  const draft = useNewTechnician();
  const { name, number, specialty, hours, level, technician } = draft;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (technician === null) return;
    const done = await mutate({
      work: () => addTechnician(technician),
      done: t('organisation.technician.added', { name: technician.displayName }),
      failed: t('organisation.failed.addTechnician', { name: technician.displayName }),
    });
    if (done) close();
  };
  return (
    <Sheet
      open
      inAddress
      narrow
      close={close}
      title={t('organisation.technician.add')}
      closeLabel={t('organisation.close')}
      initialFocus={() => first.current}
      footer={
        <>
          <Button onClick={close}>{t('organisation.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" disabled={technician === null || busy}>
            {t('organisation.technician.add')}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
        <TextLine label={t('organisation.technician.name')} text={name} type={draft.typeName} field={first} />
        <NumberField number={number} type={draft.typeNumber} />
        <TextLine
          label={t('organisation.technician.specialty')}
          text={specialty}
          type={draft.typeSpecialty}
        />
        <div className="grid grid-cols-[1fr_7rem] gap-2.5">
          <LevelSelect levels={levels} chosen={level} choose={draft.chooseLevel} />
          <Field label={t('organisation.technician.hours')}>
            <HoursInput value={hours} onChange={(event) => draft.typeHours(event.target.value)} />
          </Field>
        </div>
      </form>
    </Sheet>
  );
}

interface TextLineProps {
  label: string;
  text: string;
  type(text: string): void;
  field?: RefObject<HTMLInputElement | null>;
}

function TextLine({ label, text, type, field }: TextLineProps) {
  return (
    <Field label={label}>
      <Input ref={field} value={text} onChange={(event) => type(event.target.value)} autoComplete="off" />
    </Field>
  );
}

function NumberField({ number, type }: { number: string; type: (number: string) => void }) {
  const { t } = useTranslation();
  const hint = useId();
  return (
    <div>
      <Field label={t('organisation.technician.idLabel')}>
        <Input
          type="number"
          inputMode="numeric"
          min={1}
          value={number}
          onChange={(event) => type(event.target.value)}
          aria-describedby={hint}
        />
      </Field>
      <p id={hint} className="mt-1 text-12 text-quiet">
        {t('organisation.technician.idHint')}
      </p>
    </div>
  );
}

/** What is typed and chosen; `technician`: null while something is missing. */
function useNewTechnician() {
  const [name, typeName] = useState('');
  const [number, typeNumber] = useState('');
  const [specialty, typeSpecialty] = useState('');
  const [hours, typeHours] = useState(DEFAULT_HOURS);
  const [level, chooseLevel] = useState<ChosenLevel>('none');
  const displayName = name.trim();
  const idTechnician = number.trim() === '' ? Number.NaN : Number(number);
  const dailyHours = parseHours(hours);
  const isReady = displayName !== '' && Number.isSafeInteger(idTechnician) && idTechnician > 0;
  const technician =
    isReady && dailyHours !== null && level !== ''
      ? { idTechnician, displayName, specialty: specialty.trim(), dailyHours, idLevel: levelChosen(level) }
      : null;
  const fields = { name, typeName, number, typeNumber, specialty, typeSpecialty, hours, typeHours };
  return { ...fields, level, chooseLevel, technician };
}
