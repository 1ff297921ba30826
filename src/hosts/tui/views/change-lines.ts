import {span, type Line} from '../cells/line.ts';
import type {ToolEntry} from '../model/entry.ts';
import {parsed} from '../model/tool-words.ts';
import {plainLines} from './plain-lines.ts';

interface ChangeView {
  readonly width: number;
  /** More are cut, with their number. */
  readonly rows: number;
}

/** What an edit, a patch or a new file changes, as far as its arguments tell; nothing for other calls. */
export function changeLines(entry: ToolEntry, {width, rows}: ChangeView): readonly Line[] {
  const input = parsed(entry.arguments);
  const lines = changed(input, width);
  if (lines.length <= rows) return lines;
  return [...lines.slice(0, rows - 1), [span(`… ${lines.length - rows + 1} more rows`, 'dim')]];
}

function changed(input: Readonly<Record<string, unknown>>, width: number): readonly Line[] {
  const [before, after] = [text(input, OLD), text(input, NEW)];
  if (before !== undefined && after !== undefined) return [...marked(before, '-', width), ...marked(after, '+', width)];
  const {edits, patch} = input;
  if (Array.isArray(edits)) return edits.flatMap((edit) => (isRecord(edit) ? changed(edit, width) : []));
  return typeof patch === 'string' ? patchLines(patch, width) : [];
}

const OLD = ['old_string', 'oldText', 'old_text', 'old', 'old_str', 'search'];
const NEW = ['new_string', 'newText', 'new_text', 'new', 'new_str', 'replace'];

function text(input: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined {
  const name = names.find((one) => typeof input[one] === 'string');
  return name === undefined ? undefined : String(input[name]);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function marked(value: string, mark: '+' | '-', width: number): readonly Line[] {
  if (value === '') return [];
  const style = mark === '+' ? 'added' : 'removed';
  const body = value.replace(/\n$/, '').split('\n');
  return body.flatMap((row) => plainLines(row, {width, first: span(`${mark} `, style), rest: span('  ', style), style: [style]}));
}

function patchLines(patch: string, width: number): readonly Line[] {
  return patch
    .trimEnd()
    .split('\n')
    .flatMap((row) => {
      const style = row.startsWith('+') ? 'added' : row.startsWith('-') ? 'removed' : 'dim';
      return plainLines(row, {width, style: [style]});
    });
}
