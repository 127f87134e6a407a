// For owners and admins: the technician proposes a correction of their clock.
import { Info } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import { useProposedEntries } from '../repair-order/proposed-entries.ts';
import { Button } from '../ui/button.tsx';
import { NoticeLine } from './notice-lines.tsx';

export function ProposalLine({ technician, review }: { technician: number; review: () => void }) {
  const { t } = useTranslation();
  const count = useProposedEntries().filter(({ technicianId }) => technicianId === technician).length;
  if (count === 0) return null;
  return (
    <NoticeLine glyph={Info} tone="stale">
      <span className="min-w-0 flex-1">{t('clock.proposals', { count })}</span>
      <Button onClick={review} className="h-9 pointer-coarse:h-11">
        {t('clock.flaggedReview')}
      </Button>
    </NoticeLine>
  );
}
