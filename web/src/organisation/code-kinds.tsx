// What a shop says of jobs by their opcode: which questions a story's interview asks about them, and which kind of work
// they are. Owners write, others read.
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { putStoryKind } from '../api/tech-stories.ts';
import { type CodeKind, putWorkKind } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Field, Select } from '../ui/form-field.tsx';
import { useOrganisationMutation } from './mutations.ts';
import { Loaded, OpcodeLine, OpcodeList, PatternField } from './opcode-parts.tsx';
import { storyKinds, workKinds } from './organisation.ts';

/** What is said of opcodes, and how it is written. */
interface Subject {
  texts: 'storyKind' | 'workKind';
  mayManage: boolean;
  /** `kind`: null takes the entry away. */
  put(pattern: string, kind: string | null): Promise<void>;
}

interface Kinds {
  kinds: readonly string[];
  codes: readonly { pattern: string; kind: string }[];
}

export function StoryKinds({ mayManage }: { mayManage: boolean }) {
  const found = useQuery(storyKinds);
  return <CodeKinds subject={{ texts: 'storyKind', mayManage, put: putStoryKind }} found={found} />;
}

const kindsOfWork: readonly string[] = ['diagnosis', 'warranty', 'menu'] satisfies CodeKind[];

export function WorkKinds({ mayManage }: { mayManage: boolean }) {
  const found = useQuery({ ...workKinds, select: (codes) => ({ kinds: kindsOfWork, codes }) });
  return <CodeKinds subject={{ texts: 'workKind', mayManage, put: putWorkKind }} found={found} />;
}

interface CodeKindsProps {
  subject: Subject;
  found: UseQueryResult<Kinds>;
}

function CodeKinds({ subject, found }: CodeKindsProps) {
  const { texts, mayManage } = subject;
  const { t } = useTranslation();
  return (
    <section aria-label={t(`organisation.${texts}.title`)} className="flex flex-col gap-2.5">
      <p className="text-13 text-quiet">{t(`organisation.${texts}.hint`)}</p>
      <Loaded found={found} failed={t(`organisation.${texts}.failed`)}>
        {({ kinds, codes }) => (
          <>
            {mayManage && <KindForm kinds={kinds} subject={subject} />}
            <OpcodeList label={t(`organisation.${texts}.title`)} none={t(`organisation.${texts}.none`)}>
              {codes.map((code) => (
                <KindLine key={code.pattern} code={code} subject={subject} />
              ))}
            </OpcodeList>
          </>
        )}
      </Loaded>
    </section>
  );
}

/** What a kind is called; one that this page does not know yet by its id. */
function useKindName(texts: Subject['texts']): (kind: string) => string {
  const { t } = useTranslation();
  return texts === 'storyKind'
    ? (kind) => t(`organisation.storyKind.name.${kind as 'general'}`, { defaultValue: kind })
    : (kind) => t(`organisation.workKind.name.${kind as CodeKind}`, { defaultValue: kind });
}

interface KindFormProps {
  subject: Subject;
  kinds: readonly string[];
}

function KindForm({ subject: { texts, put }, kinds }: KindFormProps) {
  const { t } = useTranslation();
  const nameOf = useKindName(texts);
  const { run, busy } = useOrganisationMutation();
  const [pattern, typePattern] = useState('');
  const [kind, choose] = useState('');
  const written = pattern.trim().toUpperCase();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (written === '' || kind === '') return;
    const done = await run({
      work: () => put(written, kind),
      done: t(`organisation.${texts}.added`, { pattern: written }),
      failed: t(`organisation.${texts}.notSet`, { pattern: written }),
    });
    if (done) typePattern('');
  };
  return (
    <form
      noValidate
      aria-label={t(`organisation.${texts}.add`)}
      onSubmit={(event) => void submit(event)}
      className="flex flex-col gap-2.5"
    >
      <div className="grid grid-cols-[8rem_1fr] items-end gap-2.5">
        <PatternField label={t(`organisation.${texts}.pattern`)} value={pattern} type={typePattern} />
        <Field label={t(`organisation.${texts}.kind`)}>
          <Select value={kind} onChange={({ target: { value } }) => choose(value)}>
            <option value="" disabled>
              {t(`organisation.${texts}.choose`)}
            </option>
            {kinds.map((one) => (
              <option key={one} value={one}>
                {nameOf(one)}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <div className="flex justify-end">
        <Button type="submit" disabled={written === '' || kind === '' || busy}>
          {t(`organisation.${texts}.add`)}
        </Button>
      </div>
    </form>
  );
}

interface KindLineProps {
  subject: Subject;
  code: Kinds['codes'][number];
}

function KindLine({ subject: { texts, mayManage, put }, code }: KindLineProps) {
  const { t } = useTranslation();
  const nameOf = useKindName(texts);
  const { run, busy } = useOrganisationMutation();
  const { pattern, kind } = code;
  const remove = () =>
    run({
      work: () => put(pattern, null),
      done: t(`organisation.${texts}.deleted`, { pattern }),
      failed: t(`organisation.${texts}.notDeleted`, { pattern }),
    });
  return (
    <OpcodeLine pattern={pattern} says={nameOf(kind)}>
      {mayManage && (
        <IconButton
          label={t(`organisation.${texts}.deleteOf`, { pattern })}
          title={t('organisation.delete')}
          disabled={busy}
          onClick={() => void remove()}
          className="hover:text-danger"
        >
          <Trash2 aria-hidden className="size-4" />
        </IconButton>
      )}
    </OpcodeLine>
  );
}
