// The field for a new password, with the password rules, which are checked while typing.
import { useQuery } from '@tanstack/react-query';
import { Check, Circle, X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { PasswordField } from './password-field.tsx';
import { isLongEnough, isTooLong, policyQuery } from './password-policy.ts';

interface NewPasswordFieldProps {
  value: string;
  change(password: string): void;
}

export function NewPasswordField({ value, change }: NewPasswordFieldProps) {
  const { t } = useTranslation();
  const rules = useId();
  const { data: policy } = useQuery(policyQuery);
  return (
    <div className="flex flex-col gap-2">
      <PasswordField
        label={t('password.new')}
        name="new-password"
        autoComplete="new-password"
        aria-describedby={rules}
        value={value}
        onChange={(event) => change(event.target.value)}
      />
      <ul
        id={rules}
        aria-label={t('password.rules')}
        className="flex min-h-4 flex-col gap-1 text-12 text-quiet"
      >
        {policy !== undefined && (
          <>
            <Rule state={isLongEnough(value, policy) ? 'met' : 'unmet'}>
              {t('password.atLeast', { count: policy.minLength })}
            </Rule>
            {isTooLong(value, policy) && (
              <Rule state="broken">{t('password.atMost', { count: policy.maxLength })}</Rule>
            )}
            {policy.refusesCommon && <Rule state="said">{t('password.notCommon')}</Rule>}
          </>
        )}
      </ul>
    </div>
  );
}

const glyphs = { met: Check, unmet: Circle, broken: X, said: Circle };
const ruleClasses = { met: 'text-accent', unmet: '', broken: 'text-danger', said: '' };

/** `said`: a rule that only the server can check. */
function Rule({ state, children }: { state: keyof typeof glyphs; children: ReactNode }) {
  const { t } = useTranslation();
  const Glyph = glyphs[state];
  return (
    <li className={`flex items-center gap-1.5 ${ruleClasses[state]}`}>
      <Glyph aria-hidden className={state === 'met' || state === 'broken' ? 'size-3.5' : 'mx-[3px] size-2'} />
      <span>
        {children}
        {state !== 'said' && (
          <span className="sr-only"> ({t(state === 'met' ? 'password.met' : 'password.unmet')})</span>
        )}
      </span>
    </li>
  );
}
