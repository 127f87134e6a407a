// Files for spreadsheets: RFC 4180 with a byte order mark, so that Excel reads them as UTF-8, every field in quotation
// marks.
import { saveFile } from './save-file.ts';

const BOM = '\uFEFF';

export function csvText(lines: readonly (readonly string[])[]): string {
  return BOM + lines.map((line) => `${line.map(cell).join()}\r\n`).join('');
}

// A formula at the start of a cell in some locale: after a separator, a line end or a quotation mark.
const FORMULA_AFTER_SEPARATOR = /([,;|\t\r\n"])(?=[\s'"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const FORMULA = /^(?=[\t\r]|[\s'"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/;

/**
 * A spreadsheet would execute a value that starts like a formula; an apostrophe makes it text. Excel splits cells at
 * its locale's separator, and its import at any chosen one, so a cell may begin within one of ours.
 */
function cell(text: string): string {
  const safe = text.replace(FORMULA_AFTER_SEPARATOR, "$1'").replace(FORMULA, "'");
  return `"${safe.replaceAll('"', '""')}"`;
}

export function saveCsv(name: string, text: string): void {
  saveFile(name, new Blob([text], { type: 'text/csv;charset=utf-8' }));
}
