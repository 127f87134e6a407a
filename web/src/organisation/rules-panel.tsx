// The opcode rules: which skill an opcode requires, and at which level; the ranking of technicians uses them. Beside them
// which kind of work an opcode is, and the questions that stories ask about it. Owners write, others read.
import { useQuery } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { addRule, changeRule, deleteRule, type OpcodeRule, type RuleDraft } from '../api/technicians.ts';
import { usePermission } from '../auth/use-session.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { skills } from '../repair-order/skills.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Field, Select } from '../ui/form-field.tsx';
import { closeOnEscape, Sheet } from '../ui/sheet.tsx';
import { changedFields } from './changed-fields.ts';
import { StoryKinds, WorkKinds } from './code-kinds.tsx';
import { LevelInput, parseLevel } from './level-input.tsx';
import { useOrganisationMutation } from './mutations.ts';
import { Loaded, OpcodeLine, OpcodeList, PatternField } from './opcode-parts.tsx';
import { rules } from './organisation.ts';

export function RulesPanel({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const mayManage = usePermission('manage-opcode-rules');
  const [part, show] = useState<Part>('rules');
  return (
    <Sheet
      open
      inAddress
      narrow
      close={close}
      title={t('organisation.rules')}
      closeLabel={t('organisation.close')}
    >
      <div className="flex flex-col gap-5">
        <Parts shown={part} show={show} />
        {part === 'rules' && <Rules mayManage={mayManage} />}
        {part === 'work' && <WorkKinds mayManage={mayManage} />}
        {part === 'stories' && <StoryKinds mayManage={mayManage} />}
        {!mayManage && <p className="text-12 text-quiet">{t('organisation.rule.ownersOnly')}</p>}
      </div>
    </Sheet>
  );
}

const parts = ['rules', 'work', 'stories'] as const;
type Part = (typeof parts)[number];

/** There are dozens of rules: what stood below them would not be found. */
function Parts({ shown, show }: { shown: Part; show(part: Part): void }) {
  const { t } = useTranslation();
  const names = {
    rules: t('organisation.rules'),
    work: t('organisation.workKind.title'),
    stories: t('organisation.storyKind.title'),
  };
  return (
    <fieldset className="flex rounded-md border border-line bg-raised p-0.5">
      <legend className="sr-only">{t('organisation.rules')}</legend>
      {parts.map((part) => (
        <label
          key={part}
          className="relative flex min-h-7.5 flex-1 cursor-pointer items-center justify-center rounded-sm px-2.5 py-0.5 text-center text-13 text-quiet hover:text-ink has-checked:bg-accent-tint has-checked:font-medium has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent max-md:min-h-10.5 pointer-coarse:min-h-10.5"
        >
          <input
            type="radio"
            name="rules-shown"
            checked={part === shown}
            onChange={() => show(part)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {names[part]}
        </label>
      ))}
    </fieldset>
  );
}

function Rules({ mayManage }: { mayManage: boolean }) {
  const { t } = useTranslation();
  const found = useQuery(rules);
  return (
    <>
      <p className="text-13 text-quiet">{t('organisation.rule.hint')}</p>
      {mayManage && <AddRule />}
      <Loaded found={found} failed={t('organisation.failed.rules')}>
        {(all) => (
          <OpcodeList label={t('organisation.rules')} none={t('organisation.rule.none')}>
            {all.map((rule) => (
              <RuleLine key={rule.idRule} rule={rule} mayManage={mayManage} />
            ))}
          </OpcodeList>
        )}
      </Loaded>
    </>
  );
}

function AddRule() {
  const { t } = useTranslation();
  const { run: mutate, busy } = useOrganisationMutation();
  /** A new form after each added rule, with empty fields. */
  const [form, next] = useState(0);
  return (
    <RuleForm
      key={form}
      name={t('organisation.rule.addTitle')}
      hasTitle
      verb={t('organisation.rule.add')}
      busy={busy}
      focusFirst={form > 0}
      save={async (draft) => {
        const done = await mutate({
          work: () => addRule(draft),
          done: t('organisation.rule.added', { pattern: draft.pattern }),
          failed: t('organisation.failed.addRule'),
        });
        if (done) next(form + 1);
      }}
    />
  );
}

function RuleLine({ rule, mayManage }: { rule: OpcodeRule; mayManage: boolean }) {
  const [editing, edit] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const { pattern, skillName, level } = rule;
  const { t } = useTranslation();
  const close = () => {
    edit(false);
    // Once the button is rendered again.
    requestAnimationFrame(() => opener.current?.focus());
  };
  if (editing) {
    return (
      <li className="p-2.5">
        <EditRule rule={rule} close={close} />
      </li>
    );
  }
  return (
    <OpcodeLine pattern={pattern} says={`${skillName} · ${t('organisation.skill.levelIs', { level })}`}>
      {mayManage && <RuleActions rule={rule} opener={opener} edit={() => edit(true)} />}
    </OpcodeLine>
  );
}

interface RuleActionsProps {
  rule: OpcodeRule;
  /** The button that begins the edit. */
  opener: RefObject<HTMLButtonElement | null>;
  edit(): void;
}

function RuleActions({ rule: { idRule, pattern }, opener, edit }: RuleActionsProps) {
  const { t } = useTranslation();
  const { run: mutate, busy } = useOrganisationMutation();
  const [asking, ask] = useState(false);
  const remove = async () => {
    await mutate({
      work: () => deleteRule(idRule),
      done: t('organisation.rule.deleted', { pattern }),
      failed: t('organisation.failed.deleteRule', { pattern }),
    });
    ask(false);
  };
  return (
    <>
      <IconButton
        ref={opener}
        label={t('organisation.rule.editOf', { pattern })}
        title={t('organisation.edit')}
        onClick={edit}
      >
        <Pencil aria-hidden className="size-4" />
      </IconButton>
      <IconButton
        label={t('organisation.rule.deleteOf', { pattern })}
        title={t('organisation.delete')}
        onClick={() => ask(true)}
        className="hover:text-danger"
      >
        <Trash2 aria-hidden className="size-4" />
      </IconButton>
      {asking && (
        <ConfirmDialog
          title={t('organisation.rule.confirm', { pattern })}
          detail={t('organisation.rule.confirmDetail')}
          verb={t('organisation.delete')}
          cancelLabel={t('organisation.cancel')}
          busy={busy}
          confirm={() => void remove()}
          close={() => ask(false)}
        />
      )}
    </>
  );
}

function EditRule({ rule, close }: { rule: OpcodeRule; close: () => void }) {
  const { t } = useTranslation();
  const { run: mutate, busy } = useOrganisationMutation();
  // As it was when it was opened: what somebody else changes meanwhile is not changed back.
  const [before] = useState(rule);
  const { idRule, pattern } = before;
  return (
    <RuleForm
      name={t('organisation.rule.editOf', { pattern })}
      rule={before}
      verb={t('organisation.save')}
      busy={busy}
      focusFirst
      cancel={close}
      save={async (draft) => {
        const changes = changedFields(before, draft);
        const done = await mutate({
          work: async () => {
            if (Object.keys(changes).length > 0) await changeRule(idRule, changes);
          },
          failed: t('organisation.failed.changeRule', { pattern }),
        });
        if (done) close();
      }}
    />
  );
}

interface RuleFormProps {
  name: string;
  hasTitle?: boolean;
  rule?: OpcodeRule;
  verb: string;
  busy: boolean;
  focusFirst: boolean;
  save(draft: RuleDraft): Promise<void>;
  cancel?: () => void;
}

function RuleForm({ name, hasTitle = false, rule, verb, busy, focusFirst, save, cancel }: RuleFormProps) {
  const { t } = useTranslation();
  const [pattern, typePattern] = useState(rule?.pattern ?? '');
  const [skill, choose] = useState(String(rule?.idSkill ?? ''));
  const [typed, typeLevel] = useState(String(rule?.level ?? ''));
  const level = parseLevel(typed);
  const isReady = pattern.trim() !== '' && skill !== '' && level !== null;
  /** A rule asks for the skill's own level, unless another one is typed. */
  const chooseSkill = (idSkill: string, skillLevel: number) => {
    choose(idSkill);
    if (typed === '') typeLevel(String(skillLevel));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) void save({ pattern: pattern.trim(), idSkill: Number(skill), level });
  };
  return (
    <form
      noValidate
      aria-label={name}
      {...(cancel && closeOnEscape(cancel))}
      onSubmit={submit}
      className="flex flex-col gap-2.5"
    >
      {hasTitle && <h3 className="text-14 font-semibold">{name}</h3>}
      <PatternField
        ref={focusFirst ? focusOnce : undefined}
        label={t('organisation.rule.pattern')}
        value={pattern}
        type={typePattern}
      />
      <div className="grid grid-cols-[1fr_6.5rem] items-end gap-2.5">
        <SkillSelect chosen={skill} choose={chooseSkill} />
        <Field label={t('organisation.rule.level')}>
          <LevelInput value={typed} onChange={(event) => typeLevel(event.target.value)} />
        </Field>
      </div>
      <div className="flex justify-end gap-2">
        {cancel !== undefined && <Button onClick={cancel}>{t('organisation.cancel')}</Button>}
        <Button type="submit" variant="primary" disabled={!isReady || busy}>
          {verb}
        </Button>
      </div>
    </form>
  );
}

interface SkillSelectProps {
  chosen: string;
  choose(idSkill: string, skillLevel: number): void;
}

function SkillSelect({ chosen, choose }: SkillSelectProps) {
  const { t } = useTranslation();
  const { data: all = [] } = useQuery(skills);
  return (
    <Field label={t('organisation.rule.skill')}>
      <Select
        value={chosen}
        onChange={({ target: { value } }) => {
          const skill = all.find(({ idSkill }) => String(idSkill) === value);
          if (skill !== undefined) choose(value, skill.skillLevel);
        }}
      >
        <option value="" disabled>
          {t('organisation.technician.chooseSkill')}
        </option>
        {all.map(({ idSkill, skillName }) => (
          <option key={idSkill} value={idSkill}>
            {skillName}
          </option>
        ))}
      </Select>
    </Field>
  );
}

function focusOnce(field: HTMLInputElement | null): void {
  field?.focus();
}
