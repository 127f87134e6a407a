// Who the first owner is, what the shop is called and which time zone it is in.
import { useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, type FormEvent, useId, useState } from 'react';
import { ApiError } from '../api/http.ts';
import { type SetUpLinkFailure, type SetUpQuestions, setUpLinkFailure, setUpShop } from '../api/set-up.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { FailureNote, Field, Input, Select, TextField } from '../ui/form-field.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { useFormSubmission } from './form-submission.ts';
import { NewPasswordField } from './new-password-field.tsx';
import { policyQuery, requireLength } from './password-policy.ts';
import { useSetUpWatch } from './set-up-watch.ts';
import { useSession } from './use-session.ts';

interface SetUpFormProps {
  token: string;
  questions: SetUpQuestions;
  /** The link is over. */
  end(why: SetUpLinkFailure): void;
}

export function SetUpForm({ token, questions, end }: SetUpFormProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [password, setPassword] = useState('');
  const [shaking, setShaking] = useState(false);
  const { busy, failure, request, run } = useFormSubmission(
    (error) => errorMessage(error, t) || t('setUp.failed'),
  );

  const isSignedIn = useSession().status === 'signed-in';
  // Whoever has typed something is told why it is over.
  useSetUpWatch(() => end('already-set-up'), !busy && !isSignedIn);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const field = (name: string) => String(form.get(name) ?? '');
    const done = await run(async () => {
      try {
        requireLength(password, client.getQueryData(policyQuery.queryKey));
        await setUpShop({
          token,
          email: field('email'),
          name: field('name'),
          password,
          ...(questions.shopNameByOption ? {} : { shopName: field('shop-name') }),
          ...(questions.timeZoneByOption ? {} : { timeZone: field('time-zone') }),
        });
        // The page is loaded again: the server writes the shop's name and time zone into it.
        location.replace('/dashboard');
      } catch (error) {
        const why = setUpLinkFailure(error);
        if (why !== null) end(why);
        // The rules on screen are outdated.
        if (error instanceof ApiError && error.code === 'weak-password')
          void client.invalidateQueries(policyQuery);
        throw error;
      }
    });
    setShaking(!done);
  };
  return (
    <AuthLayout
      title={t('setUp.title')}
      hint={t('setUp.hint')}
      shaking={shaking}
      shaken={() => setShaking(false)}
    >
      <form onSubmit={submit} className="mt-6 flex flex-col gap-4">
        <ShopFields questions={questions} />
        <h2 className="mt-2 border-t border-line pt-5 text-14 font-semibold">{t('setUp.owner')}</h2>
        <TextField label={t('setUp.name')} name="name" required maxLength={100} autoComplete="name" />
        <TextField label={t('login.email')} name="email" type="email" required autoComplete="username" />
        <NewPasswordField value={password} change={setPassword} />
        <FailureNote text={failure} request={request} />
        <Button type="submit" variant="primary" disabled={busy} className="h-11 w-full">
          {t(busy ? 'setUp.submitting' : 'setUp.submit')}
        </Button>
      </form>
    </AuthLayout>
  );
}

/** What an option of the server says cannot be changed here. */
function ShopFields({ questions }: { questions: SetUpQuestions }) {
  const { t } = useTranslation();
  const { shopName, shopNameByOption, timeZone, timeZoneByOption } = questions;
  return (
    <>
      <NotedField
        label={t('setUp.shopName')}
        note={shopNameByOption ? t('setUp.byOption', { option: '--brand-name' }) : null}
        name="shop-name"
        required
        maxLength={100}
        autoComplete="organization"
        readOnly={shopNameByOption}
        defaultValue={shopName ?? ''}
      />
      {timeZoneByOption ? (
        <NotedField
          label={t('setUp.timeZone')}
          note={t('setUp.byOption', { option: '--time-zone' })}
          readOnly
          defaultValue={timeZone ?? ''}
        />
      ) : (
        <Field label={t('setUp.timeZone')}>
          <Select name="time-zone" defaultValue={timeZone ?? browserZone()} tall>
            {zonesWith(timeZone ?? browserZone()).map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </Select>
          <span className="text-12 font-normal text-quiet">{t('setUp.timeZoneHint')}</span>
        </Field>
      )}
    </>
  );
}

function NotedField({
  label,
  note,
  ...input
}: ComponentProps<'input'> & { label: string; note: string | null }) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <Field label={label}>
        <Input tall aria-describedby={note === null ? undefined : id} {...input} />
      </Field>
      {note !== null && (
        <p id={id} className="text-12 text-quiet">
          {note}
        </p>
      )}
    </div>
  );
}

const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zones of this browser, and this one, which may be of an older name. */
function zonesWith(zone: string): string[] {
  return [...new Set([zone, ...Intl.supportedValuesOf('timeZone'), 'UTC'])].toSorted();
}
