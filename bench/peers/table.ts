import {median} from '../measure.ts';

export interface Result {
  readonly name: string;
  readonly version: string;
  /** Figures of each row by its name, or why there are none. */
  readonly cells: ReadonlyMap<string, readonly number[] | string>;
  readonly note: string;
}

export interface Column {
  readonly name: string;
  readonly unit: string;
}

/** Writes results as a Markdown table. The first one is the yardstick: its figures stand as they are, all others over them. */
export function peersTable(columns: readonly Column[], results: readonly Result[]): string {
  const [yardstick] = results;
  const reasons = results.flatMap((result) => reasonsOf(result, columns));
  return [
    line(['', 'version', ...columns.map(title)]),
    line(['---', '---', ...columns.map(() => '---:')]),
    ...results.map((result) => line([result.name, result.version, ...columns.map((column) => cell(column, result, yardstick))])),
    '',
    ...[...results.map(({note}) => note), ...reasons].map((text) => `- ${text}`),
  ].join('\n');
}

function cell({name, unit}: Column, result: Result, yardstick: Result | undefined): string {
  const [own, base] = [result.cells.get(name), yardstick?.cells.get(name)];
  if (!isFigures(own)) return '-';
  if (result === yardstick) return `${short(median(own))} ${unit}`;
  return isFigures(base) ? `${short(median(own) / median(base))}×` : '-';
}

function isFigures(value: readonly number[] | string | undefined): value is readonly number[] {
  return typeof value === 'object' && value.length > 0 && !Number.isNaN(median(value));
}

function reasonsOf({name, cells}: Result, columns: readonly Column[]): string[] {
  const byReason = Map.groupBy(columns, (column) => cells.get(column.name));
  return [...byReason].flatMap(([reason, rows]) =>
    typeof reason === 'string' ? [`${name}, ${rows.map(title).join(', ')}: ${reason}`] : [],
  );
}

function title({name}: Column): string {
  return name === 'version' ? '`--version`' : name;
}

/** Two digits of a ratio are what it is worth. */
function short(value: number): string {
  return value >= 10 ? value.toFixed(0) : value >= 2 ? value.toFixed(1) : value.toFixed(2);
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
