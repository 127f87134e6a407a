// The frame of a screen that only shops with stages have: everybody else is led to the desk.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Navigate } from 'react-router';
import type { Permission } from '../api/session.ts';
import { usePermission } from '../auth/use-session.ts';
import { failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { FailedPanel } from '../ui/panel.tsx';
import { type Stages, shopStages, stagesInUse, useLiveStages } from './stages.ts';

interface StagesScreenProps {
  /** Without it there is no such screen. */
  needs: Permission;
  /** How wide its content may become. */
  width: string;
  /** Until the stages are loaded. */
  loading: ReactNode;
  children(stages: Stages): ReactNode;
}

export function StagesScreen({ needs, width, loading, children }: StagesScreenProps) {
  const { t } = useTranslation();
  const isPermitted = usePermission(needs);
  useLiveStages();
  const { data, error, refetch, isFetching } = useQuery({ ...shopStages, enabled: isPermitted });
  const stages = data === undefined ? undefined : stagesInUse(data);
  if (!isPermitted || stages === null) return <Navigate to="/dashboard" replace />;
  return (
    <main className="min-h-0 flex-1 overflow-y-auto">
      <div className={`mx-auto flex flex-col gap-3 px-4 pt-4 pb-8 max-md:px-3 max-md:pt-3 ${width}`}>
        {stages !== undefined ? (
          children(stages)
        ) : error === null ? (
          loading
        ) : (
          <FailedPanel
            text={t('page.failed')}
            {...failureReason(error, t)}
            retryLabel={t('live.retry')}
            retry={() => void refetch()}
            retrying={isFetching}
          />
        )}
      </div>
    </main>
  );
}
