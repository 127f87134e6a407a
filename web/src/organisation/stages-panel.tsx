// The shop's stages: used or not, their order, names, kinds and colours. Owners change them, others read.
import { useQuery } from '@tanstack/react-query';
import { FileInput, Milestone, Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { addStage, changeStage, configureStages, type WorkStage } from '../api/stages.ts';
import { usePermission } from '../auth/use-session.ts';
import { failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { reloadStages, shopStages, stageName, useLiveStages } from '../repair-order/stages.ts';
import { Button } from '../ui/button.tsx';
import { LoadingLines } from '../ui/load-state.tsx';
import { FailedLine } from '../ui/panel.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { SwitchButton } from '../ui/switch-button.tsx';
import { useOrganisationMutation } from './mutations.ts';
import { emptyTexts, StageForm } from './stage-form.tsx';
import { StageLine, StageMark } from './stage-line.tsx';

export function StagesPanel({ close }: { close: () => void }) {
  const { t } = useTranslation();
  useLiveStages();
  const mayManage = usePermission('manage-stages');
  const { data, error, refetch } = useQuery(shopStages);
  return (
    <Sheet
      open
      inAddress
      close={close}
      title={t('stages.manage.title')}
      closeLabel={t('stages.manage.close')}
    >
      <div className="flex flex-col gap-5">
        <p className="text-13 text-quiet">{t('stages.manage.intro')}</p>
        {data === undefined && error !== null ? (
          <FailedLine
            text={t('stages.manage.failed.load')}
            {...failureReason(error, t)}
            retryLabel={t('stages.manage.retry')}
            retry={() => void refetch()}
          />
        ) : data === undefined ? (
          <LoadingLines label={t('stages.manage.loading')} />
        ) : (
          <>
            <UseSwitch enabled={data.enabled} mayManage={mayManage} />
            {data.enabled && <FilesSwitch ownsStage={data.fileOwnsStage} mayManage={mayManage} />}
            <CurrentStages all={data.stages} mayManage={mayManage} />
            <DeletedStages all={data.stages} mayManage={mayManage} />
          </>
        )}
        {!mayManage && <p className="text-12 text-quiet">{t('stages.manage.ownersOnly')}</p>}
      </div>
    </Sheet>
  );
}

function UseSwitch({ enabled, mayManage }: { enabled: boolean; mayManage: boolean }) {
  const { t } = useTranslation();
  const { run, busy } = useOrganisationMutation(reloadStages);
  const turn = (on: boolean) =>
    void run({
      work: () => configureStages({ enabled: on }),
      done: t(on ? 'stages.manage.turnedOn' : 'stages.manage.turnedOff'),
      failed: t('stages.manage.failed.save'),
    });
  return (
    <SwitchBox isOn={enabled}>
      <SwitchButton
        glyph={Milestone}
        label={t('stages.manage.use')}
        state={t(enabled ? 'stages.manage.isOn' : 'stages.manage.isOff')}
        isOn={enabled}
        disabled={busy || !mayManage}
        turn={turn}
      />
      <p className="text-13">{t(enabled ? 'stages.manage.on' : 'stages.manage.off')}</p>
    </SwitchBox>
  );
}

/** Whether files of the dealer system say where cars stand. */
function FilesSwitch({ ownsStage, mayManage }: { ownsStage: boolean; mayManage: boolean }) {
  const { t } = useTranslation();
  const { run, busy } = useOrganisationMutation(reloadStages);
  const turn = (on: boolean) =>
    void run({
      work: () => configureStages({ fileOwnsStage: on }),
      done: t(on ? 'stages.manage.filesTurnedOn' : 'stages.manage.filesTurnedOff'),
      failed: t('stages.manage.failed.save'),
    });
  return (
    <SwitchBox isOn={ownsStage}>
      <SwitchButton
        glyph={FileInput}
        label={t('stages.manage.files')}
        state={t(ownsStage ? 'stages.manage.isOn' : 'stages.manage.isOff')}
        isOn={ownsStage}
        disabled={busy || !mayManage}
        turn={turn}
      />
      <p className="text-13">{t(ownsStage ? 'stages.manage.filesOn' : 'stages.manage.filesOff')}</p>
    </SwitchBox>
  );
}

function SwitchBox({ isOn, children }: { isOn: boolean; children: React.ReactNode }) {
  const colours = isOn ? 'border-accent bg-accent-tint' : 'border-line bg-sunken';
  return (
    <div className={`flex flex-col items-start gap-2.5 rounded-lg border p-3 ${colours}`}>{children}</div>
  );
}

interface StagesProps {
  all: readonly WorkStage[];
  mayManage: boolean;
}

function CurrentStages({ all, mayManage }: StagesProps) {
  const { t } = useTranslation();
  const { run, busy } = useOrganisationMutation(reloadStages);
  const list = useRef<HTMLOListElement>(null);
  const moved = useFocusAfterMove(list, busy);
  const current = all.filter(({ deleted }) => !deleted);
  const move = (from: number, by: -1 | 1) => {
    const order = current.map(({ id }) => id);
    order.splice(from + by, 0, ...order.splice(from, 1));
    moved(current[from]?.id ?? '', by);
    void run({
      work: () => configureStages({ order }),
      failed: t('stages.manage.failed.save'),
    });
  };
  return (
    <section aria-labelledby="stages-list" className="flex flex-col gap-2">
      <h3 id="stages-list" className="text-14 font-semibold">
        {t('stages.manage.list')}
      </h3>
      <ol
        ref={list}
        aria-labelledby="stages-list"
        className="flex flex-col divide-y divide-line rounded-lg border border-line"
      >
        {current.map((stage, place) => (
          <StageLine
            key={stage.id}
            stage={stage}
            isFirst={place === 0}
            isLast={place === current.length - 1}
            busy={busy}
            mayManage={mayManage}
            move={(by) => move(place, by)}
          />
        ))}
      </ol>
      {mayManage && <AddStage />}
    </section>
  );
}

/** The button that moved a stage has the focus again where the stage stands now. */
function useFocusAfterMove(list: React.RefObject<HTMLElement | null>, busy: boolean) {
  const pressed = useRef<{ id: string; by: -1 | 1 } | null>(null);
  useEffect(() => {
    if (busy || pressed.current === null) return;
    const { id, by } = pressed.current;
    pressed.current = null;
    const line = list.current?.querySelector(`[data-stage="${CSS.escape(id)}"]`);
    const buttons = [...(line?.querySelectorAll<HTMLButtonElement>('button[data-move]') ?? [])];
    const same = buttons.find((button) => button.dataset.move === String(by) && !button.disabled);
    (same ?? buttons.find((button) => !button.disabled))?.focus();
  }, [busy, list]);
  return (id: string, by: -1 | 1) => {
    pressed.current = { id, by };
  };
}

function AddStage() {
  const { t, language } = useTranslation();
  const { run, busy } = useOrganisationMutation(reloadStages);
  const [adding, add] = useState(false);
  if (!adding) {
    return (
      <Button onClick={() => add(true)} className="self-start">
        <Plus aria-hidden className="size-4" />
        {t('stages.manage.add')}
      </Button>
    );
  }
  return (
    <div className="rounded-lg border border-line p-3">
      <StageForm
        name={t('stages.manage.addTitle')}
        hasTitle
        texts={emptyTexts}
        verb={t('stages.manage.add')}
        busy={busy}
        cancel={() => add(false)}
        save={async (values) => {
          const done = await run({
            work: () => addStage(values),
            done: t('stages.manage.added', { stage: stageName(values, language) }),
            failed: t('stages.manage.failed.add'),
          });
          if (done) add(false);
        }}
      />
    </div>
  );
}

function DeletedStages({ all, mayManage }: StagesProps) {
  const { t, language } = useTranslation();
  const { run, busy } = useOrganisationMutation(reloadStages);
  const deleted = all.filter((stage) => stage.deleted);
  if (deleted.length === 0) return null;
  return (
    <section aria-labelledby="deleted-stages" className="flex flex-col gap-2">
      <h3 id="deleted-stages" className="text-14 font-semibold">
        {t('stages.manage.deletedList')}
      </h3>
      <p className="text-12 text-quiet">{t('stages.manage.deletedHint')}</p>
      <ul className="flex flex-col divide-y divide-line rounded-lg border border-dashed border-line-strong">
        {deleted.map((stage) => {
          const name = stageName(stage, language);
          const restore = () =>
            void run({
              work: () => changeStage(stage.id, { deleted: false }),
              done: t('stages.manage.restored', { stage: name }),
              failed: t('stages.manage.failed.change', { stage: name }),
            });
          return (
            <li key={stage.id} className="flex min-h-12 items-center gap-2.5 py-1 pr-1.5 pl-3">
              <StageMark stage={stage} />
              <span className="min-w-0 flex-1 text-14 break-words text-quiet">{name}</span>
              {mayManage && (
                <Button
                  aria-label={t('stages.manage.restore', { stage: name })}
                  disabled={busy}
                  onClick={restore}
                  className="h-8 max-md:h-11"
                >
                  {t('stages.manage.restoreShort')}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
