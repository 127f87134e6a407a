// Invites a user: email, name, roles, and the technician they are, if any.
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Lock, MailCheck } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import type { Invitation, Role } from '../api/users.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { technicians } from '../repair-order/technician-choice.tsx';
import { Button } from '../ui/button.tsx';
import { isTouchPointer } from '../ui/pointer-type.ts';
import { Field, inputClasses, RolesField, Select } from './form-field.tsx';
import { skills } from './staff.ts';

const DEFAULT_ROLES: Role[] = ['Admin'];

export function InviteForm({ invite }: { invite: (invitation: Invitation) => Promise<boolean> }) {
  const { t } = useTranslation();
  const { data: technicianList = [] } = useQuery(technicians);
  const { data: skillList = [] } = useQuery(skills);
  const id = useId();
  const first = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState(false);
  const [email, setEmail] = useState('');
  const [typedName, typeName] = useState('');
  const [roles, setRoles] = useState(DEFAULT_ROLES);
  const [technicianId, setTechnicianId] = useState('');
  const [skill, setSkill] = useState('');
  const [roleless, setRoleless] = useState(false);
  const rolesField = useRef<HTMLDivElement>(null);
  const [busy, setBusy] = useState(false);
  const [invited, setInvited] = useState<string | null>(null);

  const technician = technicianList.find(({ idTechnician }) => String(idTechnician) === technicianId);
  const name = technician?.displayName ?? typedName;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setRoleless(roles.length === 0);
    if (roles.length === 0) {
      rolesField.current?.querySelector('input')?.focus();
      return;
    }
    setBusy(true);
    setInvited(null);
    const userData = {
      name: name.trim(),
      roles,
      ...(technician !== undefined && { technicianId: technician.idTechnician }),
      ...(skill !== '' && { skill }),
    };
    const done = await invite({ email: email.trim(), userData });
    setBusy(false);
    if (!done) return;
    setInvited(email.trim());
    setEmail('');
    typeName('');
    setRoles(DEFAULT_ROLES);
    setTechnicianId('');
    setSkill('');
    // On a phone the keyboard would cover the result.
    if (!isTouchPointer()) first.current?.focus();
  };

  return (
    <section aria-labelledby={`${id}title`} className="rounded-lg border border-line bg-raised">
      <h2 className="text-14 font-semibold">
        <span id={`${id}title`} className="block px-4 pt-3 max-md:hidden">
          {t('users.invite')}
        </span>
        {/* On a phone the list comes first: the form opens when it is wanted. */}
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="flex min-h-11 w-full items-center justify-between rounded-lg px-4 md:hidden"
        >
          {t('users.invite')}
          <ChevronDown
            aria-hidden
            className={`size-4 text-quiet transition-transform duration-150 ${open ? 'rotate-180' : ''}`}
          />
        </button>
      </h2>
      <form
        id={id}
        onSubmit={submit}
        className={`grid grid-cols-4 gap-x-4 gap-y-3 px-4 pt-2.5 pb-3.5 max-lg:grid-cols-2 max-md:grid-cols-1 ${open ? '' : 'max-md:hidden'}`}
      >
        <Field label={t('users.email')}>
          <input
            ref={first}
            type="email"
            required
            autoComplete="off"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            className={inputClasses}
          />
        </Field>
        <Field label={t('users.name')}>
          <span className="relative">
            <input
              type="text"
              required
              autoComplete="off"
              value={name}
              readOnly={technician !== undefined}
              title={technician === undefined ? undefined : t('users.nameLocked')}
              onChange={(event) => typeName(event.target.value)}
              className={inputClasses}
            />
            {technician !== undefined && (
              <Lock
                aria-hidden
                className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-3.5 text-quiet"
              />
            )}
          </span>
        </Field>
        <Field label={t('users.technician')}>
          <Select value={technicianId} onChange={(event) => setTechnicianId(event.target.value)}>
            <option value="">{t('users.noTechnician')}</option>
            {technicianList.map(({ idTechnician, displayName, specialty }) => (
              <option key={idTechnician} value={idTechnician}>
                {specialty === ''
                  ? displayName
                  : t('users.technicianOption', { name: displayName, specialty })}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t('users.skill')}>
          <Select
            value={skill}
            required={technician !== undefined}
            onChange={(event) => setSkill(event.target.value)}
          >
            <option value="">{t('users.noSkill')}</option>
            {skillList.map(({ idSkill, skillName }) => (
              <option key={idSkill} value={skillName}>
                {skillName}
              </option>
            ))}
          </Select>
        </Field>
        <div className="col-span-full flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
          <div ref={rolesField} className="flex min-w-0 flex-col gap-1">
            <RolesField legend={t('users.roles')} hasLegendShown roles={roles} choose={setRoles} />
            {roleless && roles.length === 0 && (
              <p role="alert" className="text-13 text-danger">
                {t('users.chooseRole')}
              </p>
            )}
          </div>
          <div className="flex items-center gap-4 max-md:w-full max-md:flex-col-reverse max-md:items-stretch max-md:gap-2">
            <p role="status" className="flex items-center gap-1.5 text-13 text-quiet empty:hidden">
              {invited !== null && (
                <>
                  <MailCheck aria-hidden className="size-4 shrink-0" />
                  <span className="min-w-0 break-words">{t('users.invited', { email: invited })}</span>
                </>
              )}
            </p>
            <Button type="submit" variant="primary" disabled={busy} className="max-md:h-11">
              {busy ? t('users.submitting') : t('users.submit')}
            </Button>
          </div>
        </div>
      </form>
    </section>
  );
}
