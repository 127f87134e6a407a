// The list on paper: all orders of the view, not only those drawn on screen.
import { serverNow } from '../api/server-time.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { stageNameById, useStages } from '../repair-order/stages.ts';
import { useClock } from '../shop/clock.ts';
import { shop } from '../shop/shop.ts';
import { PrintOnly } from '../ui/print-only.tsx';
import type { Tab } from './categories.ts';
import type { ColumnId } from './column-layout.ts';
import type { DueFilter } from './due-filters.ts';

/** Shares of the page width. */
const share: Record<ColumnId, number> = {
  details: 17,
  vehicle: 22,
  status: 7,
  priority: 7,
  stage: 11,
  assignment: 17,
  jobs: 16,
  timeline: 14,
};

interface PrintedListProps {
  orders: readonly RepairOrder[];
  columns: readonly ColumnId[];
  tab: Tab;
  searched: string;
  due: DueFilter | null;
}

export function PrintedList(props: PrintedListProps) {
  return (
    <PrintOnly>
      <Sheet {...props} />
    </PrintOnly>
  );
}

function Sheet({ orders, columns, tab, searched, due }: PrintedListProps) {
  const { t } = useTranslation();
  const clock = useClock();
  const totalShare = columns.reduce((sum, column) => sum + share[column], 0);
  return (
    <section className="print-sheet">
      <header>
        <h1>
          {shop.brandName} {t('brand.subtitle')}: {t(`tab.name.${tab}`)}
        </h1>
        <p>
          {t('tab.orders', { count: orders.length })}
          {due !== null && <> · {t(`due.${due}`)}</>}
          {searched.trim() !== '' && <> · {t('table.searched', { text: searched.trim() })}</>}
          {' · '}
          {t('table.printedAt', { time: clock.full(serverNow()) })}
        </p>
      </header>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" style={{ width: `${(share[column] / totalShare) * 100}%` }}>
                {t(`column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr key={order.key}>
              {columns.map((column) => (
                <td key={column}>
                  <RowFacts order={order} column={column} time={clock.short} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface RowFactsProps {
  order: RepairOrder;
  column: ColumnId;
  time: (at: number) => string;
}

function RowFacts({ order, column, time }: RowFactsProps) {
  const { t } = useTranslation();
  switch (column) {
    case 'details':
      return (
        <Lines
          first={
            <>
              <b>{order.roNumber}</b>
              {order.tagNumber !== '' && ` · ${t('field.tagNumber')} ${order.tagNumber}`}
            </>
          }
          second={order.customer}
        />
      );
    case 'vehicle':
      return <Lines first={order.vehicle} second={<code>{order.vin}</code>} />;
    case 'status':
      return t(`status.${order.status}`);
    case 'priority':
      return t(`priority.${order.priority}`);
    case 'stage':
      return <PrintedStage order={order} />;
    case 'assignment':
      return (
        <>
          <Lines
            first={order.allRegularTechs || t('order.unassigned')}
            second={order.advisor !== '' && t('order.advisor', { name: order.advisor })}
          />
          {order.hasEtlTech && <em>{t('order.etl', { name: order.allEtlTechs })}</em>}
        </>
      );
    case 'jobs':
      return order.jobs.length === 0
        ? t('order.noJobs')
        : order.jobs.map((job) => `${job.jobNumber}. ${job.opcode || t('order.noOpcode')}`).join('  ');
    case 'timeline':
      return (
        <>
          <Lines
            first={`${t('order.opened')} ${time(order.openTime)}`}
            second={`${t('order.eta')} ${time(order.eta)}`}
          />
          {order.promised !== null && <div>{`${t('order.promised')} ${time(order.promised)}`}</div>}
        </>
      );
  }
}

function PrintedStage({ order }: { order: RepairOrder }) {
  const { t, language } = useTranslation();
  const stages = useStages(false);
  if (stages === null || order.stage === null) return null;
  return (
    <Lines
      first={stageNameById(stages, order.stage, language)}
      second={order.holds.map(({ reason }) => t(`stages.reason.${reason}`)).join(', ')}
    />
  );
}

function Lines({ first, second }: { first: React.ReactNode; second: React.ReactNode }) {
  return (
    <>
      <div>{first}</div>
      <div>{second}</div>
    </>
  );
}
