// What a skill is made of, in the form that adds one and in the one that changes it.
import { useQuery } from '@tanstack/react-query';
import { type Ref, useId } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { skills } from '../repair-order/skills.ts';
import { Field, Input } from '../ui/form-field.tsx';
import { LevelInput, parseLevel } from './level-input.tsx';

/** As they are typed. */
export interface SkillTexts {
  name: string;
  level: string;
  kind: string;
}

export interface SkillValues {
  skillName: string;
  skillLevel: number;
  /** Empty: of no kind. */
  skillKind: string;
}

/** Null: name or level are missing. */
export function readSkill({ name, level, kind }: SkillTexts): SkillValues | null {
  const skillLevel = parseLevel(level);
  const skillName = name.trim();
  if (skillName === '' || skillLevel === null) return null;
  return { skillName, skillLevel, skillKind: kind.trim() };
}

interface SkillFieldsProps {
  texts: SkillTexts;
  type(texts: SkillTexts): void;
  first: Ref<HTMLInputElement>;
}

export function SkillFields({ texts, type, first }: SkillFieldsProps) {
  const { t } = useTranslation();
  const { data: all = [] } = useQuery(skills);
  const id = useId();
  const kinds = [...new Set(all.flatMap(({ skillKind }) => skillKind ?? []))].toSorted();
  return (
    <div className="grid grid-cols-[1fr_6.5rem] gap-2.5">
      <Field label={t('organisation.skill.name')}>
        <Input
          ref={first}
          value={texts.name}
          onChange={(event) => type({ ...texts, name: event.target.value })}
          autoComplete="off"
        />
      </Field>
      <Field label={t('organisation.skill.level')}>
        <LevelInput value={texts.level} onChange={(event) => type({ ...texts, level: event.target.value })} />
      </Field>
      <div className="col-span-full flex flex-col gap-1">
        <Field label={t('organisation.skill.kind')}>
          <Input
            list={`${id}-kinds`}
            aria-describedby={`${id}-hint`}
            maxLength={100}
            value={texts.kind}
            onChange={(event) => type({ ...texts, kind: event.target.value })}
            autoComplete="off"
          />
        </Field>
        <datalist id={`${id}-kinds`}>
          {kinds.map((kind) => (
            <option key={kind} value={kind} />
          ))}
        </datalist>
        <p id={`${id}-hint`} className="text-12 text-quiet">
          {t('organisation.skill.kindHint')}
        </p>
      </div>
    </div>
  );
}
