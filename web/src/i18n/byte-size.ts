const MB = 1_000_000;
const GB = 1_000 * MB;

/** How much room something takes on a disk: '150 MB', '1.5 GB'. */
export function byteSize(bytes: number, locale: string): string {
  const [unit, size] = bytes < GB ? ['megabyte', MB] : ['gigabyte', GB];
  const digits = unit === 'gigabyte' ? 1 : 0;
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: digits });
  return format.format(bytes / Number(size));
}
