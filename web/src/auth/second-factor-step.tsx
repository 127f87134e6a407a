// The second step of signing in: a code of the authenticator app, or a recovery code.
import { ArrowLeft } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { FailureNote, TextField } from '../ui/form-field.tsx';
import type { FailedRequest } from '../ui/request-reference.tsx';
import { AuthLayout, quietLinkClasses } from './auth-layout.tsx';
import { authenticatorCodeProps, readAuthenticatorCode } from './authenticator-code.ts';

interface CodeStepProps {
  email: string;
  shaking: boolean;
  shaken(): void;
  busy: boolean;
  failure: string | null;
  request: FailedRequest | null;
  enter(code: string): void;
  back(): void;
}

export function SecondFactorStep({
  email,
  shaking,
  shaken,
  busy,
  failure,
  request,
  enter,
  back,
}: CodeStepProps) {
  const { t } = useTranslation();
  const [from, setFrom] = useState<'app' | 'recovery'>('app');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    enter(readAuthenticatorCode(event.currentTarget));
  };
  const isApp = from === 'app';
  return (
    <AuthLayout
      shaking={shaking}
      shaken={shaken}
      title={t('login.code.title')}
      hint={t(isApp ? 'login.code.appHint' : 'login.code.recoveryHint', { email })}
    >
      <form onSubmit={submit} className="mt-6 flex flex-col gap-4">
        <TextField
          // Another field, empty and with the focus, not the same one under another name.
          key={from}
          ref={takeFocus}
          name="code"
          required
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono tracking-[0.12em]"
          {...(isApp
            ? { label: t('login.code.app'), ...authenticatorCodeProps }
            : { label: t('login.code.recovery'), autoComplete: 'off' })}
        />
        <FailureNote text={failure} request={request} />
        <Button type="submit" variant="primary" disabled={busy} className="h-11 w-full">
          {busy ? t('login.submitting') : t('login.submit')}
        </Button>
      </form>
      <div className="mt-4 flex items-center justify-between gap-3">
        <button type="button" onClick={back} className={`${quietLinkClasses} gap-1.5`}>
          <ArrowLeft aria-hidden className="size-3.5" />
          {t('login.code.back')}
        </button>
        <button
          type="button"
          onClick={() => setFrom(isApp ? 'recovery' : 'app')}
          className={quietLinkClasses}
        >
          {t(isApp ? 'login.code.useRecovery' : 'login.code.useApp')}
        </button>
      </div>
    </AuthLayout>
  );
}

function takeFocus(field: HTMLInputElement | null): void {
  field?.focus();
}
