// Makes an intake key and shows its secret, which the server tells this once.
import { Copy } from 'lucide-react';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { type MadeIntakeKey, makeIntakeKey } from '../api/intake-keys.ts';
import { useFormSubmission } from '../auth/form-submission.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { useCopyToClipboard } from '../ui/copy-to-clipboard.ts';
import { FailureNote, Field, Input } from '../ui/form-field.tsx';

interface NewIntakeKeyProps {
  /** Loads the list again, which has one more. */
  reload(): Promise<unknown>;
  /** The secret was taken note of. */
  done(): void;
}

export function NewIntakeKey({ reload, done }: NewIntakeKeyProps) {
  const { t } = useTranslation();
  const { busy, failure, request, run } = useFormSubmission((error) => errorMessage(error, t));
  const [name, setName] = useState('');
  // In no cache: it is gone with the sheet.
  const [made, setMade] = useState<MadeIntakeKey | null>(null);
  const copyButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (made !== null) copyButton.current?.focus();
  }, [made]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy || name.trim() === '') return;
    void run(async () => {
      setMade(await makeIntakeKey(name.trim()));
      setName('');
    }).finally(() => void reload());
  };
  if (made !== null) {
    return (
      <MadeKey
        made={made}
        copyButton={copyButton}
        done={() => {
          setMade(null);
          done();
        }}
      />
    );
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3">
      <div className="flex items-end gap-2.5 max-md:flex-col max-md:items-stretch">
        <div className="min-w-0 flex-1">
          <Field label={t('users.keys.name')}>
            <Input
              value={name}
              maxLength={100}
              autoComplete="off"
              placeholder={t('users.keys.namePlaceholder')}
              onChange={(event) => setName(event.target.value)}
            />
          </Field>
        </div>
        <Button type="submit" variant="primary" disabled={busy || name.trim() === ''} className="max-md:h-11">
          {t(busy ? 'users.keys.making' : 'users.keys.make')}
        </Button>
      </div>
      <FailureNote text={failure} request={request} />
    </form>
  );
}

interface MadeKeyProps {
  made: MadeIntakeKey;
  copyButton: RefObject<HTMLButtonElement | null>;
  done(): void;
}

function MadeKey({ made: { name, key }, copyButton, done }: MadeKeyProps) {
  const { t } = useTranslation();
  const said = { copied: t('account.copied'), failed: t('account.notCopied') };
  const secret = useCopyToClipboard(key, said);
  const command = exampleCommand(key);
  const example = useCopyToClipboard(command, said);
  return (
    <div className="flex flex-col gap-4 rounded-lg border border-accent bg-accent-tint p-4">
      <div role="status">
        <p className="text-14 font-semibold wrap-anywhere">{t('users.keys.made', { name })}</p>
        <p className="mt-0.5 text-13">{t('users.keys.once')}</p>
      </div>
      <div className="flex flex-col gap-2">
        <Field label={t('users.keys.key')}>
          <Input
            readOnly
            value={key}
            onFocus={(event) => event.target.select()}
            className="font-mono text-13"
          />
        </Field>
        <CopyButton {...secret} button={copyButton} label={t('users.keys.copyKey')} />
      </div>
      <div className="flex flex-col gap-2">
        <p className="text-13">{t('users.keys.example')}</p>
        <pre className="rounded-md border border-line bg-raised px-3 py-2.5 font-mono text-12 leading-5 whitespace-pre-wrap wrap-anywhere">
          <code>{command}</code>
        </pre>
        <CopyButton {...example} label={t('users.keys.copyExample')} />
      </div>
      <Button variant="primary" onClick={done} className="self-end max-md:h-11 max-md:self-stretch">
        {t('users.keys.done')}
      </Button>
    </div>
  );
}

interface CopyButtonProps extends ReturnType<typeof useCopyToClipboard> {
  label: string;
  button?: RefObject<HTMLButtonElement | null>;
}

function CopyButton({ label, button, copy, status }: CopyButtonProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button ref={button} onClick={copy} className="max-md:h-11">
        <Copy aria-hidden className="size-4" />
        {label}
      </Button>
      <span role="status" className="text-13 text-quiet empty:hidden">
        {status}
      </span>
    </div>
  );
}

/** Brings a file in. */
function exampleCommand(key: string): string {
  return [
    `curl ${location.origin}/api/intake/repair-orders \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    '  -H "Content-Type: text/csv" --data-binary @orders.csv',
  ].join('\n');
}
