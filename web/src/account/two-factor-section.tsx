// Turns the second factor on and off. The server knows whether it is on; this component knows the current step.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck, ShieldOff } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import {
  beginTwoFactor,
  confirmTwoFactor,
  endTwoFactor,
  type TwoFactorSecret,
  twoFactor,
} from '../api/account.ts';
import { authenticatorCodeProps, readAuthenticatorCode } from '../auth/authenticator-code.ts';
import { useFormSubmission } from '../auth/form-submission.ts';
import { failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { FailureNote, TextField } from '../ui/form-field.tsx';
import { FailedLine } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { AuthenticatorSecretSheet } from './authenticator-secret-sheet.tsx';
import { CurrentPassword, readCurrentPassword } from './current-password.tsx';
import { accountErrorMessage } from './error-message.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { formClasses, Section } from './section.tsx';

const twoFactorQuery = queryOptions({
  queryKey: ['account', 'two-factor'],
  queryFn: ({ signal }) => twoFactor(signal),
});

/** With this many or fewer the user should create new ones. */
const LOW_CODES_THRESHOLD = 3;

type Step =
  | { kind: 'resting' }
  | { kind: 'beginning' }
  | { kind: 'confirming'; secret: TwoFactorSecret }
  | { kind: 'keeping'; codes: string[] }
  | { kind: 'ending' };

const idleStep: Step = { kind: 'resting' };

export function TwoFactorSection() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const status = useQuery(twoFactorQuery);
  const [step, setStep] = useState<Step>(idleStep);
  const rest = () => {
    setStep(idleStep);
    void client.invalidateQueries(twoFactorQuery);
  };

  let content: ReactNode;
  switch (step.kind) {
    case 'resting':
      content = status.isPending ? (
        <Skeleton className="my-3 w-40" />
      ) : status.data === undefined ? (
        <FailedLine
          text={t('account.twoFactor.failed')}
          {...failureReason(status.error, t)}
          retryLabel={t('account.retry')}
          retry={() => void status.refetch()}
          retrying={status.isFetching}
        />
      ) : (
        <Status {...status.data} begin={setStep} />
      );
      break;
    case 'beginning':
      content = <BeginForm next={(secret) => setStep({ kind: 'confirming', secret })} cancel={rest} />;
      break;
    case 'confirming':
      content = (
        <ConfirmForm
          secret={step.secret}
          next={(codes) => setStep({ kind: 'keeping', codes })}
          cancel={rest}
        />
      );
      break;
    case 'keeping':
      content = <RecoveryCodes codes={step.codes} done={rest} />;
      break;
    case 'ending':
      content = <TurnOffForm next={rest} cancel={rest} />;
      break;
  }
  return (
    <Section title={t('account.twoFactor.title')} hint={t('account.twoFactor.hint')}>
      {content}
    </Section>
  );
}

interface StatusProps {
  enabled: boolean;
  recoveryCodesLeft: number;
  begin(step: Step): void;
}

function Status({ enabled, recoveryCodesLeft, begin }: StatusProps) {
  const { t } = useTranslation();
  const Glyph = enabled ? ShieldCheck : ShieldOff;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Glyph aria-hidden className={`size-5 ${enabled ? 'text-accent' : 'text-quiet'}`} />
      <p className="flex-1">
        <span className="text-14 font-medium">
          {t(enabled ? 'account.twoFactor.on' : 'account.twoFactor.off')}
        </span>
        {enabled && (
          <span
            className={`block text-13 ${recoveryCodesLeft <= LOW_CODES_THRESHOLD ? 'text-stale' : 'text-quiet'}`}
          >
            {t('account.twoFactor.codesLeft', { count: recoveryCodesLeft })}
          </span>
        )}
      </p>
      <Button onClick={() => begin({ kind: enabled ? 'ending' : 'beginning' })} className="max-md:h-11">
        {t(enabled ? 'account.twoFactor.turnOff' : 'account.twoFactor.setUp')}
      </Button>
    </div>
  );
}

function BeginForm({ next, cancel }: { next(secret: TwoFactorSecret): void; cancel(): void }) {
  const { t } = useTranslation();
  const labels = { verb: t('account.twoFactor.next'), doing: t('account.twoFactor.checking') };
  return (
    <StepForm
      {...labels}
      cancel={cancel}
      submit={async (form) => next(await beginTwoFactor(readCurrentPassword(form)))}
    >
      <p className="text-13 text-quiet">{t('account.twoFactor.confirmYou')}</p>
      <CurrentPassword />
    </StepForm>
  );
}

interface ConfirmProps {
  secret: TwoFactorSecret;
  next(codes: string[]): void;
  cancel(): void;
}

function ConfirmForm({ secret, next, cancel }: ConfirmProps) {
  const { t } = useTranslation();
  const labels = { verb: t('account.twoFactor.turnOn'), doing: t('account.twoFactor.turningOn') };
  return (
    <div className="flex flex-col gap-5">
      <AuthenticatorSecretSheet secret={secret} />
      <StepForm
        {...labels}
        cancel={cancel}
        submit={async (form) => next(await confirmTwoFactor(readAuthenticatorCode(form)))}
      >
        <TextField
          label={t('account.twoFactor.code')}
          name="code"
          required
          {...authenticatorCodeProps}
          className="font-mono tracking-[0.12em]"
        />
      </StepForm>
    </div>
  );
}

function TurnOffForm({ next, cancel }: { next(): void; cancel(): void }) {
  const { t } = useTranslation();
  const labels = { verb: t('account.twoFactor.turnOff'), doing: t('account.twoFactor.turningOff') };
  return (
    <StepForm
      {...labels}
      variant="destructive"
      cancel={cancel}
      submit={async (form) => {
        await endTwoFactor(readCurrentPassword(form), readAuthenticatorCode(form));
        next();
      }}
    >
      <CurrentPassword />
      <TextField
        label={t('account.twoFactor.codeToEnd')}
        name="code"
        required
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        className="font-mono tracking-[0.12em]"
      />
    </StepForm>
  );
}

interface StepFormProps {
  verb: string;
  doing: string;
  variant?: 'primary' | 'destructive';
  submit(form: HTMLFormElement): Promise<void>;
  cancel(): void;
  children: ReactNode;
}

function StepForm({ verb, doing, variant = 'primary', submit, cancel, children }: StepFormProps) {
  const { t } = useTranslation();
  const { busy, failure, request, run } = useFormSubmission((error) => accountErrorMessage(error, t));
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    void run(() => submit(form));
  };
  return (
    <form onSubmit={onSubmit} className={formClasses}>
      {children}
      <FailureNote text={failure} request={request} />
      <div className="flex gap-2 max-md:flex-col-reverse">
        <Button onClick={cancel} className="max-md:h-11">
          {t('account.cancel')}
        </Button>
        <Button type="submit" variant={variant} disabled={busy} className="max-md:h-11">
          {busy ? doing : verb}
        </Button>
      </div>
    </form>
  );
}
