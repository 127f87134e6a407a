// Assigns a technician to a level.
import { type RefObject, useId, useRef, useState } from 'react';
import type { Organisation } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { Field, Select } from '../ui/form-field.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { type ChosenLevel, LevelSelect, levelChosen } from './level-select.tsx';
import { allMembers, levelOf, type Move } from './organisation.ts';

interface AssignDialogProps {
  organisation: Organisation;
  move(move: Move): void;
  close(): void;
}

export function AssignDialog({ organisation, move, close }: AssignDialogProps) {
  const { t } = useTranslation();
  const form = useId();
  const first = useRef<HTMLSelectElement>(null);
  const [technician, choose] = useState('');
  const [level, chooseLevel] = useState<ChosenLevel>('');
  const { levels } = organisation;
  const now = technician === '' ? null : levelOf(organisation, Number(technician));
  const isReady = technician !== '' && level !== '' && levelChosen(level) !== now;

  return (
    <Sheet
      open
      inAddress
      narrow
      close={close}
      title={t('organisation.assign.title')}
      closeLabel={t('organisation.close')}
      initialFocus={() => first.current}
      footer={
        <>
          <Button onClick={close}>{t('organisation.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" disabled={!isReady}>
            {t('organisation.assign.verb')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isReady) return;
          move({ technician: Number(technician), level: levelChosen(level) });
          close();
        }}
      >
        <TechnicianSelect organisation={organisation} field={first} chosen={technician} choose={choose} />
        {technician !== '' && (
          <p className="text-13 text-quiet">
            {t('organisation.assign.now', {
              level: levels.find(({ idLevel }) => idLevel === now)?.name ?? t('organisation.unplaced'),
            })}
          </p>
        )}
        <LevelSelect levels={levels} chosen={level} choose={chooseLevel} />
      </form>
    </Sheet>
  );
}

interface TechnicianSelectProps {
  organisation: Organisation;
  field: RefObject<HTMLSelectElement | null>;
  chosen: string;
  choose(technician: string): void;
}

function TechnicianSelect({ organisation, field, chosen, choose }: TechnicianSelectProps) {
  const { t, language } = useTranslation();
  const { compare } = new Intl.Collator(language);
  const people = allMembers(organisation).toSorted((a, b) => compare(a.displayName, b.displayName));
  return (
    <Field label={t('organisation.assign.technician')}>
      <Select ref={field} value={chosen} onChange={(event) => choose(event.target.value)}>
        <option value="" disabled>
          {t('organisation.assign.placeholder')}
        </option>
        {people.map(({ idTechnician, displayName, specialty }) => (
          <option key={idTechnician} value={idTechnician}>
            {specialty === '' ? displayName : `${displayName} · ${specialty}`}
          </option>
        ))}
      </Select>
    </Field>
  );
}
