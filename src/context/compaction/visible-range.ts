import {isJsonObject, parseJson, type JsonObject} from '../../base/json.ts';
import type {ToolCallPart} from '../../protocol/messages.ts';

/** The lines of one file that a call shows. Lines from 1; Infinity: to the end. */
export interface VisibleRange {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** Returns what a call reads, by a tool or by `cat`, `head`, `sed -n 'A,Bp'`; undefined for everything else, and if it is not certain. */
export function visibleRange({name, arguments: text}: ToolCallPart): VisibleRange | undefined {
  const input = parseJson(text);
  if (!isJsonObject(input)) return undefined;
  const command = textField(input, ['command', 'Command', 'command_line', 'CommandLine', 'cmd']);
  if (command !== undefined) return shownByCommand(command);
  return READERS.has(name) ? shownByTool(input) : undefined;
}

/** True if everything that the older call showed is shown by the newer one, too. */
export function covers(newer: VisibleRange, older: VisibleRange): boolean {
  return newer.path === older.path && newer.from <= older.from && newer.to >= older.to;
}

/** Tools that show one file as it is; one that shows several at once cannot be replaced by one that shows a part of it. */
const READERS: ReadonlySet<string> = new Set(['read', 'read_file', 'read_file_range', 'view', 'view_file', 'cat']);

function shownByTool(input: JsonObject): VisibleRange | undefined {
  const path = textField(input, ['path', 'file_path', 'filepath', 'filename', 'file']);
  if (path === undefined) return undefined;
  const start = numberField(input, ['start_line', 'offset']);
  const end = numberField(input, ['end_line']);
  const limit = numberField(input, ['limit']);
  const from = Math.max(1, start ?? 1);
  return {path: plainPath(path), from, to: end ?? (limit === undefined ? Infinity : from + limit - 1)};
}

/** One file, no quotes, no expansion, nothing after it: anything more is not understood here. */
const PLAIN_FILE = String.raw`([\w@%+=:,./-]+)`;
const CAT = new RegExp(String.raw`^\s*cat\s+(?:-n\s+)?${PLAIN_FILE}\s*$`);
const HEAD = new RegExp(String.raw`^\s*head\s+(?:-n\s*|-)(\d+)\s+${PLAIN_FILE}\s*$`);
const SED = new RegExp(String.raw`^\s*sed\s+-n\s+['"]?(\d+)(?:,(\d+|\$))?p['"]?\s+${PLAIN_FILE}\s*$`);

function shownByCommand(command: string): VisibleRange | undefined {
  const cat = CAT.exec(command);
  if (cat !== null) return {path: plainPath(cat[1] ?? ''), from: 1, to: Infinity};
  const head = HEAD.exec(command);
  if (head !== null) return {path: plainPath(head[2] ?? ''), from: 1, to: Number(head[1])};
  const sed = SED.exec(command);
  if (sed === null) return undefined;
  const from = Number(sed[1]);
  const last = sed[2] === undefined ? from : sed[2] === '$' ? Infinity : Number(sed[2]);
  return {path: plainPath(sed[3] ?? ''), from, to: last};
}

function plainPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, '');
}

function textField(input: JsonObject, names: readonly string[]): string | undefined {
  return names.map((name) => input[name]).find((value): value is string => typeof value === 'string' && value !== '');
}

function numberField(input: JsonObject, names: readonly string[]): number | undefined {
  return names.map((name) => input[name]).find((value): value is number => typeof value === 'number' && Number.isFinite(value));
}
