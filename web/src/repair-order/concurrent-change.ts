// What somebody has made of the value since its picker was opened.
import { useState } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import type { Author, OpenOrder } from './order-cache.ts';

interface Value {
  value: string;
  /** The version that brought it; null: it was there when the picker was opened. */
  version: number | null;
  by: Author | null;
}

/** 'Now Waiting, by Anna'; empty: nothing. For as long as the picker is mounted. */
export function useConcurrentChange(
  { version, by }: Pick<OpenOrder, 'version' | 'by'>,
  value: string,
): string {
  const { t } = useTranslation();
  const [last, setLast] = useState<Value>({ value, version: null, by: null });
  // The message that names the author may come after the rows. Later versions are about other fields.
  if (value !== last.value || (version === last.version && by !== last.by)) setLast({ value, version, by });
  if (last.version === null) return '';
  return last.by === null
    ? t('picker.now', { value })
    : t('picker.nowBy', { value, name: last.by.person.name });
}
