// The facts of one repair order, as the table's cells and the phone's cards both show them. Two lines at most.
import { type MouseEvent, useContext } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { OpenDetailsContext } from '../repair-order/open-details-context.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { PresenceIndicator } from '../repair-order/presence-indicator.tsx';
import { ReceiptIndicator } from '../repair-order/receipt-indicator.tsx';
import { copyText } from '../ui/clipboard.ts';
import { Copy } from '../ui/row-glyphs.tsx';
import { showToast } from '../ui/toaster.ts';
import { useDrawnAfterTheRest } from './drawn-after-the-rest.ts';
import type { FrozenRow } from './frozen-row-order.ts';
import { detailsLink } from './open-details.ts';
import { useControlTabIndex } from './row-controls.ts';
import { TechnicianControl } from './technician-control.tsx';
import { TechnicianName } from './technician-name.tsx';

interface Fact {
  order: RepairOrder;
}

interface NumberLinkProps {
  order: Pick<RepairOrder, 'key' | 'roNumber'>;
  /** Where the order stands in a second place: what that place is, which the link's name begins with. */
  place?: string;
}

export function NumberLink({ order, place }: NumberLinkProps) {
  const { t } = useTranslation();
  const open = useContext(OpenDetailsContext);
  const tabIndex = useControlTabIndex();
  const clicked = (event: MouseEvent) => {
    // Elsewhere the browser opens it.
    if (open === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open(order.key);
  };
  return (
    // Not the router's link, which would be rendered again in every row when another order is opened.
    <a
      href={detailsLink(order.key)}
      tabIndex={tabIndex}
      onClick={clicked}
      aria-label={[place, t('order.open', { number: order.roNumber })].filter(Boolean).join(': ')}
      className="rounded-sm font-mono text-13 font-medium text-accent underline-offset-4 hover:underline"
    >
      {order.roNumber}
    </a>
  );
}

/** The tag number by which the car is found on the lot; nothing where it has none. */
export function TagNumber({ order: { tagNumber } }: Fact) {
  const { t } = useTranslation();
  if (tagNumber === '') return null;
  const name = t('field.tagNumber');
  return (
    <span
      title={`${name} ${tagNumber}`}
      className="relative min-w-0 max-w-24 truncate font-mono text-12 text-quiet"
    >
      <span className="sr-only">{name} </span>
      {tagNumber}
    </span>
  );
}

/** The number and the customer; for a row that is only kept in place, the reason. */
export function NumberAndCustomer({ cached: { order }, removal }: FrozenRow) {
  const { t } = useTranslation();
  if (removal === null) {
    return (
      <>
        <span className="flex h-(--row-line) items-center gap-2 leading-(--row-line)">
          <NumberLink order={order} />
          <TagNumber order={order} />
          <PresenceIndicator roNumber={order.key} />
        </span>
        <span
          className="block truncate text-13 leading-(--row-line)! normal-nums group-data-tight/table:text-12"
          title={order.customer}
        >
          {order.customer}
        </span>
      </>
    );
  }
  return (
    <>
      <span className="font-mono text-13 font-medium">{order.roNumber}</span>
      <span
        className="block truncate text-13 font-medium"
        title={`${t(`table.${removal}`)}\n${order.customer}`}
      >
        {t(`table.${removal}`)}
      </span>
    </>
  );
}

export function VinWithCopy({ vin }: { vin: string }) {
  const { t } = useTranslation();
  const tabIndex = useControlTabIndex();
  const copy = () => {
    copyText(vin).then(
      () => showToast({ text: t('toast.vinCopied') }),
      () => showToast({ tone: 'destructive', text: t('toast.vinNotCopied') }),
    );
  };
  const hasButton = useDrawnAfterTheRest();
  if (vin === '') return null;
  return (
    <span className="flex min-w-0 items-center gap-1 font-mono text-12 leading-[var(--row-line,1rem)] text-quiet">
      {/* Its end is what people read: where it has no room it is cut in front. */}
      <span className="truncate text-left [direction:rtl] [unicode-bidi:isolate]">{vin}</span>
      {hasButton && (
        <button
          type="button"
          tabIndex={tabIndex}
          aria-label={t('order.copyVin', { vin })}
          title={t('order.copyVin', { vin })}
          onClick={copy}
          className="on-row-hover on-row-glyph -my-1 grid size-5 shrink-0 place-items-center rounded-sm group-data-tight/table:absolute group-data-tight/table:right-0.5 group-data-tight/table:bg-(--row) pointer-coarse:static! pointer-coarse:bg-transparent! hover:bg-line hover:text-ink max-md:size-11 pointer-coarse:size-11 md:pointer-coarse:-my-4"
        >
          <Copy aria-hidden className="size-3.5" />
        </button>
      )}
    </span>
  );
}

interface AssignmentProps extends Fact {
  /** For users who may not dispatch. */
  readOnly: boolean;
  className?: string;
}

export function Assignment({ order, readOnly, className = 'block' }: AssignmentProps) {
  const { t } = useTranslation();
  const title = [
    t('order.technicians', { names: order.allRegularTechs || t('order.unassigned') }),
    t('order.advisor', { name: order.advisor }),
    ...(order.hasEtlTech ? [t('order.etlTechnicians', { names: order.allEtlTechs })] : []),
  ].join('\n');
  return (
    // In a narrow table the name needs the whole first line: the mark stands at the end of the second one, whose names give
    // way. A mark that is longer than that reaches into the padding on its left.
    <span
      title={title}
      className={`${className} min-w-0 group-data-tight/table:@container/assignment group-data-tight/table:grid group-data-tight/table:grid-cols-[minmax(0,1fr)_minmax(0,auto)]`}
    >
      <span className="flex min-w-0 items-center gap-1.5 group-data-tight/table:contents">
        <span className="flex min-w-0 group-data-tight/table:col-span-2">
          {readOnly ? (
            order.technician === '' ? (
              <span className="min-w-0 text-quiet md:truncate">{t('order.unassigned')}</span>
            ) : (
              <TechnicianName order={order} />
            )
          ) : (
            <TechnicianControl order={order} />
          )}
        </span>
        <span className="shrink-0 empty:hidden group-data-tight/table:col-start-2 group-data-tight/table:row-start-2 group-data-tight/table:-mr-1 group-data-tight/table:self-center group-data-tight/table:justify-self-end group-data-tight/table:pl-1.5">
          <ReceiptIndicator order={order} givesWay />
        </span>
      </span>
      <span className="flex min-w-0 gap-x-1.5 text-12 leading-[var(--row-line,1rem)] text-quiet group-data-tight/table:row-start-2 max-md:flex-wrap">
        {order.advisor !== '' && <Advisor name={order.advisor} />}
        {order.hasEtlTech && (
          <em className="min-w-0 md:flex-1 md:truncate max-md:basis-full max-md:break-words">
            <span aria-hidden className="max-md:hidden">
              ·{' '}
            </span>
            {t('order.etl', { name: order.etlTechnician })}
          </em>
        )}
      </span>
    </span>
  );
}

/** In a narrow table the name alone: it needs the room of the word, which the tooltip has. */
function Advisor({ name }: { name: string }) {
  const { t } = useTranslation();
  const text = t('order.advisor', { name });
  const word = /^[^:]*:\s*/.exec(text)?.[0] ?? '';
  return (
    <span className="truncate normal-nums">
      <span className="group-data-tight/table:sr-only">{word}</span>
      {text.slice(word.length)}
    </span>
  );
}

/** An opcode of more characters (a text in place of one) may be broken: no column has room for it. */
const LONG_OPCODE = 8;

export function Jobs({ order }: Fact) {
  const { t } = useTranslation();
  if (order.jobs.length === 0) return <span className="text-quiet">{t('order.noJobs')}</span>;
  const lines = order.jobs.map((job, place) => ({
    // Two jobs may carry one number; their place tells them apart.
    key: `${place} ${job.jobNumber}`,
    number: job.jobNumber,
    opcode: job.opcode,
    description: job.description,
  }));
  return (
    <ul
      title={lines
        .map((line) => `${line.number}. ${line.opcode || t('order.noOpcode')}  ${line.description}`)
        .join('\n')}
      // One running text, so that what is cut ends in an ellipsis.
      className="line-clamp-2 text-12 leading-[var(--row-line,1rem)] wrap-anywhere"
    >
      {lines.map((line) => (
        // The space behind it is not copied.
        <li key={line.key} className="inline text-quiet after:[word-spacing:0.375rem] after:content-['_']">
          <span className={line.opcode.length > LONG_OPCODE ? undefined : 'whitespace-nowrap'}>
            {`${line.number}.\u00a0`}
            {line.opcode === '' ? (
              <NoOpcode text={t('order.noOpcode')} />
            ) : (
              <span className="font-mono text-ink">{line.opcode}</span>
            )}
          </span>
          {/* They stand beside each other, and are copied one per line. */}
          <span aria-hidden className="sr-only whitespace-pre!">
            {'\n'}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A dash: words would read as codes among the others. */
function NoOpcode({ text }: { text: string }) {
  return (
    <>
      <span aria-hidden className="select-none mr-0.5 before:content-['–']" />
      <span className="sr-only">{text}</span>
    </>
  );
}
