// Adds a technician who is on no order and has no account yet.
import { type FormEvent, useId, useRef, useState } from 'react';
import { addTechnician, type Level } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { Field, inputClasses } from '../users/form-field.tsx';
import { HoursInput, parseHours } from './hours-input.tsx';
import { type ChosenLevel, LevelSelect, levelChosen } from './level-select.tsx';
import { useOrganisationMutation } from './mutations.ts';

const DEFAULT_HOURS = '8';

export function NewTechnician({ levels, close }: { levels: readonly Level[]; close: () => void }) {
  const { t } = useTranslation();
  const { run: mutate, busy } = useOrganisationMutation();
  const form = useId();
  const first = useRef<HTMLInputElement>(null);
  const [name, typeName] = useState('');
  const [number, typeNumber] = useState('');
  const [specialty, typeSpecialty] = useState('');
  const [hours, typeHours] = useState(DEFAULT_HOURS);
  const [level, chooseLevel] = useState<ChosenLevel>('none');
  const dailyHours = parseHours(hours);
  const idTechnician = Number(number);
  const hasNumber = number.trim() !== '' && Number.isSafeInteger(idTechnician) && idTechnician > 0;
  const isReady = name.trim() !== '' && hasNumber && dailyHours !== null && level !== '';

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const done = await mutate({
      work: () =>
        addTechnician({
          idTechnician,
          displayName: name.trim(),
          specialty: specialty.trim(),
          dailyHours,
          idLevel: levelChosen(level),
        }),
      done: t('organisation.technician.added', { name: name.trim() }),
      failed: t('organisation.failed.addTechnician', { name: name.trim() }),
    });
    if (done) close();
  };
  return (
    <Sheet
      open
      narrow
      close={close}
      title={t('organisation.technician.add')}
      closeLabel={t('organisation.close')}
      initialFocus={() => first.current}
      footer={
        <>
          <Button onClick={close}>{t('organisation.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" disabled={!isReady || busy}>
            {t('organisation.technician.add')}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
        <Field label={t('organisation.technician.name')}>
          <input
            ref={first}
            value={name}
            onChange={(event) => typeName(event.target.value)}
            autoComplete="off"
            className={inputClasses}
          />
        </Field>
        <div>
          <Field label={t('organisation.technician.idLabel')}>
            <input
              type="number"
              inputMode="numeric"
              min={1}
              value={number}
              onChange={(event) => typeNumber(event.target.value)}
              aria-describedby={`${form}hint`}
              className={inputClasses}
            />
          </Field>
          <p id={`${form}hint`} className="mt-1 text-12 text-quiet">
            {t('organisation.technician.idHint')}
          </p>
        </div>
        <Field label={t('organisation.technician.specialty')}>
          <input
            value={specialty}
            onChange={(event) => typeSpecialty(event.target.value)}
            autoComplete="off"
            className={inputClasses}
          />
        </Field>
        <div className="grid grid-cols-[1fr_7rem] gap-2.5">
          <LevelSelect levels={levels} chosen={level} choose={chooseLevel} />
          <Field label={t('organisation.technician.hours')}>
            <HoursInput value={hours} onChange={(event) => typeHours(event.target.value)} />
          </Field>
        </div>
      </form>
    </Sheet>
  );
}
