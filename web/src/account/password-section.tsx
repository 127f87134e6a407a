import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { changePassword } from '../api/account.ts';
import { ApiError } from '../api/http.ts';
import { useFormSubmission } from '../auth/form-submission.ts';
import { NewPasswordField } from '../auth/new-password-field.tsx';
import { policyQuery, requireLength } from '../auth/password-policy.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { FailureNote, SuccessNote } from '../ui/form-field.tsx';
import { CurrentPassword, readCurrentPassword } from './current-password.tsx';
import { accountErrorMessage } from './error-message.ts';
import { formClasses, Section } from './section.tsx';
import { sessionsQuery } from './sessions-section.tsx';

export function PasswordSection() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [password, setPassword] = useState('');
  const [done, setDone] = useState(false);
  const { busy, failure, request, run } = useFormSubmission((error) => accountErrorMessage(error, t));

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setDone(false);
    const changed = await run(async () => {
      try {
        requireLength(password, client.getQueryData(policyQuery.queryKey));
        await changePassword(readCurrentPassword(form), password);
      } catch (error) {
        // The rules on screen are outdated.
        if (error instanceof ApiError && error.code === 'weak-password')
          void client.invalidateQueries(policyQuery);
        throw error;
      }
    });
    if (!changed) return;
    form.reset();
    setPassword('');
    setDone(true);
    void client.invalidateQueries(sessionsQuery);
  };
  return (
    <Section title={t('account.password.title')} hint={t('account.password.hint')}>
      <form onSubmit={submit} className={formClasses}>
        <CurrentPassword />
        <NewPasswordField value={password} change={setPassword} />
        <FailureNote text={failure} request={request} />
        <SuccessNote text={done ? t('account.password.done') : null} />
        <Button
          type="submit"
          variant="primary"
          disabled={busy}
          className="self-start max-md:h-11 max-md:w-full"
        >
          {busy ? t('account.password.submitting') : t('account.password.submit')}
        </Button>
      </form>
    </Section>
  );
}
