// Figures beside their goals, as text for the reader and as rows of a Markdown table.
import { appendFileSync } from 'node:fs';

type Goal = { atMost: number } | { below: number };

interface Figure {
  what: string;
  measured: string;
  goal: string;
  met: string;
}

export class Figures {
  private readonly figures: Figure[] = [];
  private readonly rows: string | undefined;

  /** `rows`: the file that the table's rows are appended to. */
  constructor(rows: string | undefined) {
    this.rows = rows;
  }

  /** A goal is met when the worst of the measured is within it. */
  note(what: string, unit: string, measured: readonly number[], goal?: Goal): void {
    const worst = Math.max(...measured);
    const limit = goal === undefined ? null : 'below' in goal ? goal.below : goal.atMost;
    const met = goal === undefined || ('below' in goal ? worst < goal.below : worst <= goal.atMost);
    const figure: Figure = {
      what,
      measured: spread(measured, unit),
      goal:
        limit === null ? '' : `${goal !== undefined && 'below' in goal ? '<' : '<='} ${limit} ${unit}`.trim(),
      met: limit === null ? '' : met ? 'met' : 'NOT MET',
    };
    this.figures.push(figure);
    if (this.rows === undefined) return;
    appendFileSync(
      this.rows,
      `| ${what} | ${figure.measured} | ${`${figure.goal} ${figure.met}`.trim()} |\n`,
    );
  }

  table(): string {
    const columns = ['what', 'goal', 'measured', 'met'] as const;
    const widths = columns.map((column) => Math.max(...this.figures.map((figure) => figure[column].length)));
    return this.figures
      .map((figure) => columns.map((column, place) => figure[column].padEnd(widths[place] ?? 0)).join('  '))
      .join('\n');
  }
}

/** The median, with the least and the most of several. */
function spread(measured: readonly number[], unit: string): string {
  const sorted = measured.toSorted((a, b) => a - b);
  const at = (place: number) => rounded(sorted[place] ?? Number.NaN);
  const median = `${at(Math.floor(sorted.length / 2))} ${unit}`.trim();
  return sorted.length < 2
    ? median
    : `${median} (${at(0)} to ${at(sorted.length - 1)}, ${sorted.length} times)`;
}

function rounded(value: number): string {
  return Math.abs(value) < 10 && !Number.isInteger(value) ? value.toFixed(1) : value.toFixed(0);
}
