// One stage of the list: what it is, and what an owner does with it.
import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { changeStage, deleteStage, type WorkStage } from '../api/stages.ts';
import { languageOr } from '../i18n/i18n.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { spanText } from '../repair-order/duration-text.ts';
import { reloadStages, stageAppearance, stageName } from '../repair-order/stages.ts';
import { IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { changedFields } from './changed-fields.ts';
import { useOrganisationMutation } from './mutations.ts';
import { readStage, StageForm, textsOf } from './stage-form.tsx';

interface StageLineProps {
  stage: WorkStage;
  isFirst: boolean;
  isLast: boolean;
  /** A change of the order of stages is on its way. */
  busy: boolean;
  mayManage: boolean;
  /** One place up or down. */
  move(by: -1 | 1): void;
}

export function StageLine(props: StageLineProps) {
  const { stage, mayManage } = props;
  const { t, language } = useTranslation();
  const [editing, edit] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    edit(false);
    // Once the button is rendered again.
    requestAnimationFrame(() => opener.current?.focus());
  };
  if (editing) {
    return (
      <li className="p-3">
        <EditStage stage={stage} close={close} />
      </li>
    );
  }
  const facts = [
    t(`stages.kind.${stage.kind}`),
    ...(stage.tooLongMinutes == null
      ? []
      : [t('stages.manage.tooLongIs', { span: spanText(stage.tooLongMinutes, t) })]),
    ...(stage.limit === undefined ? [] : [t('stages.manage.limitIs', { limit: stage.limit })]),
  ];
  return (
    <li data-stage={stage.id} className="flex min-h-12 flex-wrap items-center gap-x-2.5 py-1 pr-1 pl-3">
      <StageMark stage={stage} />
      <div className="min-w-36 flex-1">
        <p className="text-14 font-medium break-words">{stageName(stage, language)}</p>
        <p className="text-12 text-quiet">{facts.join(' · ')}</p>
      </div>
      {mayManage && <StageActions {...props} opener={opener} edit={() => edit(true)} />}
    </li>
  );
}

/** A dot of the stage's colour. */
export function StageMark({ stage }: { stage: Pick<WorkStage, 'colour'> }) {
  return (
    <span aria-hidden className={`size-3 shrink-0 rounded-full ${stageAppearance[stage.colour].fill}`} />
  );
}

interface StageActionsProps extends StageLineProps {
  /** The button that begins the edit. */
  opener: RefObject<HTMLButtonElement | null>;
  edit(): void;
}

function StageActions({ stage, isFirst, isLast, busy, move, opener, edit }: StageActionsProps) {
  const { t, language } = useTranslation();
  const name = { stage: stageName(stage, language) };
  return (
    <span className="ml-auto flex">
      <IconButton
        data-move="-1"
        label={t('stages.manage.up', name)}
        title={t('stages.manage.up', name)}
        disabled={isFirst || busy}
        onClick={() => move(-1)}
        className="disabled:opacity-40"
      >
        <ArrowUp aria-hidden className="size-4" />
      </IconButton>
      <IconButton
        data-move="1"
        label={t('stages.manage.down', name)}
        title={t('stages.manage.down', name)}
        disabled={isLast || busy}
        onClick={() => move(1)}
        className="disabled:opacity-40"
      >
        <ArrowDown aria-hidden className="size-4" />
      </IconButton>
      <IconButton
        ref={opener}
        label={t('stages.manage.edit', name)}
        title={t('stages.manage.edit', name)}
        onClick={edit}
      >
        <Pencil aria-hidden className="size-4" />
      </IconButton>
      <DeleteStage stage={stage} />
    </span>
  );
}

function DeleteStage({ stage }: { stage: WorkStage }) {
  const { t, language } = useTranslation();
  const { run, busy } = useOrganisationMutation(reloadStages);
  const [asking, ask] = useState(false);
  const name = { stage: stageName(stage, language) };
  const remove = async () => {
    await run({
      work: () => deleteStage(stage.id),
      done: t('stages.manage.deleted', name),
      failed: t('stages.manage.failed.change', name),
    });
    ask(false);
  };
  return (
    <>
      <IconButton
        label={t('stages.manage.delete', name)}
        title={t('stages.manage.delete', name)}
        onClick={() => ask(true)}
        className="hover:text-danger"
      >
        <Trash2 aria-hidden className="size-4" />
      </IconButton>
      {asking && (
        <ConfirmDialog
          title={t('stages.manage.confirm', name)}
          detail={t('stages.manage.confirmDetail')}
          verb={t('stages.manage.deleteVerb')}
          cancelLabel={t('stages.manage.cancel')}
          busy={busy}
          confirm={() => void remove()}
          close={() => ask(false)}
        />
      )}
    </>
  );
}

function EditStage({ stage, close }: { stage: WorkStage; close: () => void }) {
  const { t, language } = useTranslation();
  const { run, busy } = useOrganisationMutation(reloadStages);
  // As it was when it was opened: what somebody else changes meanwhile is not changed back.
  const [before] = useState(() => textsOf(stage));
  const name = { stage: stageName(stage, language) };
  return (
    <StageForm
      name={t('stages.manage.edit', name)}
      texts={before}
      verb={t('stages.manage.save')}
      busy={busy}
      cancel={close}
      save={async (values) => {
        const changes = changedFields(readStage(before, languageOr(language)) ?? {}, values);
        const done = await run({
          work: async () => {
            if (Object.keys(changes).length > 0) await changeStage(stage.id, changes);
          },
          failed: t('stages.manage.failed.change', name),
        });
        if (done) close();
      }}
    />
  );
}
