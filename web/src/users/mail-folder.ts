// Where mails are files that reach nobody by themselves.
import { useQuery } from '@tanstack/react-query';
import { usePermission } from '../auth/use-session.ts';
import { machineStatus } from '../shop/machine-status-query.ts';

/** Null where there is a mail server, or where it is not known whether there is one. */
export function useMailFolder(): string | null {
  const maySee = usePermission('see-server-status');
  const { data } = useQuery({ ...machineStatus, enabled: maySee });
  return data?.mailFolder ?? null;
}
