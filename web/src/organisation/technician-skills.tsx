// What a technician can do, and how well.
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import {
  type Member,
  type MemberSkill,
  removeTechnicianSkill,
  setTechnicianSkill,
} from '../api/technicians.ts';
import { usePermission } from '../auth/use-session.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { skills } from '../repair-order/skills.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Field, numberProps, Select } from '../ui/form-field.tsx';
import { LevelInput, parseLevel } from './level-input.tsx';
import { useOrganisationMutation } from './mutations.ts';

export function TechnicianSkills({ member }: { member: Member }) {
  const { t } = useTranslation();
  const mayManage = usePermission('manage-skills');
  return (
    <section aria-labelledby="technician-skills">
      <h3 id="technician-skills" className="text-14 font-semibold">
        {t('organisation.skills')}
      </h3>
      {member.skills.length === 0 ? (
        <p className="mt-1.5 text-13 text-quiet">{t('organisation.technician.noSkills')}</p>
      ) : (
        <ul className="mt-2 flex flex-col divide-y divide-line rounded-lg border border-line">
          {member.skills.map((skill) => (
            <li key={skill.idSkill} className="flex min-h-11 items-center gap-2 py-1 pr-1 pl-3 text-14">
              <span className="min-w-0 flex-1 break-words">{skill.skillName}</span>
              {mayManage ? (
                <Editable key={skill.level} member={member} skill={skill} />
              ) : (
                <span className="shrink-0 pr-2 text-13 text-quiet">
                  {t('organisation.skill.levelIs', { level: skill.level })}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayManage && <GiveSkill member={member} />}
    </section>
  );
}

function Editable({ member, skill }: { member: Member; skill: MemberSkill }) {
  const { t } = useTranslation();
  const { run: mutate, busy } = useOrganisationMutation();
  const [typed, type] = useState(String(skill.level));
  const { idTechnician, displayName } = member;
  const { idSkill, skillName } = skill;
  const level = parseLevel(typed);
  const words = { name: displayName, skill: skillName };
  const isChanged = level !== null && level !== skill.level;

  const change = (event: FormEvent) => {
    event.preventDefault();
    if (!isChanged) return;
    void mutate({
      work: () => setTechnicianSkill(idTechnician, idSkill, level),
      done: t('organisation.technician.skillSet', { ...words, level }),
      failed: t('organisation.failed.technicianSkill', words),
    });
  };
  const remove = () =>
    void mutate({
      work: () => removeTechnicianSkill(idTechnician, idSkill),
      done: t('organisation.technician.skillRemoved', words),
      failed: t('organisation.failed.technicianSkill', words),
    });
  return (
    <>
      <form noValidate onSubmit={change} className="flex items-center gap-1">
        {isChanged && (
          <Button type="submit" variant="primary" aria-disabled={busy} className="h-8 px-2.5 text-13">
            {t('organisation.save')}
          </Button>
        )}
        <span className="w-20">
          <LevelInput
            aria-label={t('organisation.technician.levelOf', { skill: skillName })}
            value={typed}
            onChange={(event) => type(event.target.value)}
            className="h-8 text-right"
          />
        </span>
      </form>
      <IconButton
        label={t('organisation.technician.removeSkill', { skill: skillName })}
        title={t('organisation.remove')}
        aria-disabled={busy}
        onClick={remove}
      >
        <X aria-hidden className="size-4" />
      </IconButton>
    </>
  );
}

function GiveSkill({ member }: { member: Member }) {
  const { t } = useTranslation();
  const { run: mutate, busy } = useOrganisationMutation();
  const { data: all = [] } = useQuery(skills);
  const [chosen, choose] = useState('');
  const [typed, type] = useState('');
  const { idTechnician, displayName } = member;
  const left = all.filter(({ idSkill }) => !member.skills.some((one) => one.idSkill === idSkill));
  const skill = left.find(({ idSkill }) => String(idSkill) === chosen);
  const level = typed.trim() === '' ? undefined : parseLevel(typed);
  const isReady = skill !== undefined && level !== null;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const words = { name: displayName, skill: skill.skillName };
    const done = await mutate({
      work: () => setTechnicianSkill(idTechnician, skill.idSkill, level),
      done: t('organisation.technician.skillSet', { ...words, level: level ?? skill.skillLevel }),
      failed: t('organisation.failed.technicianSkill', words),
    });
    if (!done) return;
    choose('');
    type('');
  };
  if (left.length === 0) return null;
  return (
    <form
      noValidate
      aria-label={t('organisation.technician.addSkill')}
      onSubmit={(event) => void submit(event)}
      className="mt-3 grid grid-cols-[1fr_5rem_auto] items-end gap-2"
    >
      <Field label={t('organisation.technician.addSkill')}>
        <Select value={chosen} onChange={(event) => choose(event.target.value)}>
          <option value="">{t('organisation.technician.chooseSkill')}</option>
          {left.map(({ idSkill, skillName }) => (
            <option key={idSkill} value={idSkill}>
              {skillName}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t('organisation.technician.level')}>
        <LevelInput
          {...numberProps(typed, type)}
          placeholder={skill === undefined ? '' : String(skill.skillLevel)}
        />
      </Field>
      <Button type="submit" disabled={!isReady || busy}>
        {t('organisation.add')}
      </Button>
    </form>
  );
}
