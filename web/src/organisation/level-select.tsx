import type { Level } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Field, Select } from '../ui/form-field.tsx';

/** As in a select: nothing is chosen yet, no level, or a level's number. */
export type ChosenLevel = '' | 'none' | `${number}`;

export function chosenLevel(idLevel: number | null): ChosenLevel {
  return idLevel === null ? 'none' : `${idLevel}`;
}

export function levelChosen(chosen: Exclude<ChosenLevel, ''>): number | null {
  return chosen === 'none' ? null : Number(chosen);
}

interface LevelSelectProps {
  levels: readonly Level[];
  chosen: ChosenLevel;
  choose(level: ChosenLevel): void;
  disabled?: boolean;
}

export function LevelSelect({ levels, chosen, choose, disabled }: LevelSelectProps) {
  const { t } = useTranslation();
  return (
    <Field label={t('organisation.level.one')}>
      <Select
        value={chosen}
        disabled={disabled}
        onChange={({ target: { value } }) =>
          choose(value === '' || value === 'none' ? value : `${Number(value)}`)
        }
      >
        {chosen === '' && <option value="">{t('organisation.assign.level')}</option>}
        {levels.map(({ idLevel, name }) => (
          <option key={idLevel} value={idLevel}>
            {name}
          </option>
        ))}
        <option value="none">{t('organisation.unplaced')}</option>
      </Select>
    </Field>
  );
}
