// The switch for push: on, off, or why it is not available.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { BellOff, BellRing } from 'lucide-react';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { SwitchButton } from '../ui/switch-button.tsx';
import { notificationTexts } from './notification-texts.ts';
import { isPushOn, type PushObstacle, pushObstacle, turnPushOff, turnPushOn } from './push-subscription.ts';

const push = queryOptions({
  queryKey: ['push'],
  queryFn: async () => ({ isOn: await isPushOn(), obstacle: pushObstacle() }),
});

const obstacles = {
  insecure: 'offline.push.insecure',
  'home-screen': 'offline.push.homeScreen',
  unsupported: 'offline.push.unsupported',
  blocked: 'offline.push.blocked',
} as const satisfies Record<PushObstacle, string>;

export function PushSwitch() {
  const { t, language } = useTranslation();
  const client = useQueryClient();
  const { data } = useQuery(push);
  const change = useMutation({
    mutationFn: async (on: boolean) => {
      if (on) await turnPushOn(notificationTexts(t, language));
      else await turnPushOff();
    },
    onSettled: () => client.invalidateQueries(push),
  });
  if (data === undefined) return null;
  const { isOn, obstacle } = data;
  if (obstacle !== null) {
    return (
      <p className="flex items-start gap-2 text-13 text-quiet">
        <BellOff aria-hidden className="mt-0.5 size-4 shrink-0" />
        {t(obstacles[obstacle])}
      </p>
    );
  }
  return (
    <div>
      <SwitchButton
        glyph={isOn ? BellRing : BellOff}
        label={t('offline.push.tellMe')}
        state={t(isOn ? 'offline.push.on' : 'offline.push.off')}
        isOn={isOn}
        disabled={change.isPending}
        turn={(on) => change.mutate(on)}
      />
      {change.isError && (
        <p role="alert" className="mt-1.5 text-13 text-danger">
          {t('offline.push.failed', { reason: errorMessage(change.error, t) })}
        </p>
      )}
    </div>
  );
}
