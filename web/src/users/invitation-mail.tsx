// The delivery state of an invitation's mail: an icon beside the status and, after a failure, a sentence below.
import { FileText, type LucideIcon, MailCheck, MailClock, MailX, RotateCw } from 'lucide-react';
import type { InvitationMail, StaffMember } from '../api/users.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { useMailFolder } from './mail-folder.ts';

type State = InvitationMail['state'];

/** A new state does not compile until it has its sign. */
const mailStates: Record<State, { Glyph: LucideIcon; colour: string }> = {
  queued: { Glyph: MailClock, colour: 'text-quiet' },
  sent: { Glyph: MailCheck, colour: 'text-quiet' },
  retrying: { Glyph: RotateCw, colour: 'text-stale' },
  failed: { Glyph: MailX, colour: 'text-danger' },
};

export function MailSign({ mail }: { mail: InvitationMail }) {
  const { t } = useTranslation();
  const clock = useClock();
  const folder = useMailFolder();
  // What the server delivers to a folder is mailed to nobody.
  const isFile = folder !== null && mail.state === 'sent';
  const { Glyph, colour } = isFile ? { ...mailStates.sent, Glyph: FileText } : mailStates[mail.state];
  const at = Date.parse(mail.at);
  return (
    <span
      title={clock.full(at)}
      className={`mt-0.5 flex items-center gap-1 text-12 whitespace-nowrap ${colour}`}
    >
      <Glyph aria-hidden className="size-3.5 shrink-0" />
      {t(`users.mail.${isFile ? 'file' : mail.state}`, { time: clock.short(at) })}
    </span>
  );
}

/** Whether the invitation's mail has a problem to show. */
export function hasMailTrouble({ invitationMail: mail }: StaffMember): boolean {
  return mail?.state === 'retrying' || mail?.state === 'failed';
}

/** Why the mail was not sent, and when it is tried again. */
export function MailTrouble({ mail }: { mail: InvitationMail }) {
  const { t } = useTranslation();
  const clock = useClock();
  const failure = mail.failure ?? '';
  const next = mail.nextAttemptAt === null ? Number.NaN : Date.parse(mail.nextAttemptAt);
  return (
    <p className={`text-13 break-words ${mailStates[mail.state].colour}`}>
      {Number.isNaN(next)
        ? t('users.mail.failedDetail', { failure })
        : t('users.mail.retryingDetail', { failure, time: clock.short(next) })}
    </p>
  );
}
