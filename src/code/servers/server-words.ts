import {fileURLToPath} from 'node:url';
import {isJsonObject, type Json} from '../../base/json.ts';
import type {Position, Range} from '../symbol.ts';

/** A place in a file, absolute. */
export interface ServerPlace {
  readonly file: string;
  readonly range: Range;
}

export interface ServerDiagnostic {
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  readonly range: Range;
  readonly message: string;
  /** `2322`, `reportAttributeAccessIssue`. */
  readonly code?: string;
  readonly source?: string;
}

/** New text for a range of a file. */
export interface ServerEdit extends ServerPlace {
  readonly newText: string;
}

/** `Location | Location[] | LocationLink[] | null` (LSP 3.17 › textDocument/definition). What does not fit is left out. */
export function placesOf(answer: Json): ServerPlace[] {
  const items = Array.isArray(answer) ? answer : [answer];
  return items.flatMap((item) => {
    if (!isJsonObject(item)) return [];
    const file = fileOf(item['uri'] ?? item['targetUri']);
    const range = rangeOf(item['range'] ?? item['targetSelectionRange']);
    return file === undefined || range === undefined ? [] : [{file, range}];
  });
}

/** `Diagnostic[]`. */
export function diagnosticsOf(items: Json | undefined): ServerDiagnostic[] {
  if (!Array.isArray(items)) return [];
  return items.flatMap((item) => {
    if (!isJsonObject(item)) return [];
    const {message, code, source, severity} = item;
    const range = rangeOf(item['range']);
    if (range === undefined || typeof message !== 'string') return [];
    return [
      {
        severity: SEVERITIES[Number(severity) - 1] ?? 'error',
        range,
        message,
        ...(typeof code === 'string' || typeof code === 'number' ? {code: String(code)} : {}),
        ...(typeof source === 'string' ? {source} : {}),
      },
    ];
  });
}

const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const;

/** `WorkspaceEdit`; undefined where it does more than change texts (creates, renames, deletes files). */
export function editsOf(answer: Json): ServerEdit[] | undefined {
  if (!isJsonObject(answer)) return [];
  const {documentChanges, changes} = answer;
  if (Array.isArray(documentChanges)) {
    if (documentChanges.some((change) => !isJsonObject(change) || change['kind'] !== undefined)) return undefined;
    return documentChanges.flatMap((change) => {
      const document = isJsonObject(change) ? change['textDocument'] : undefined;
      return isJsonObject(change) ? textEdits(isJsonObject(document) ? document['uri'] : undefined, change['edits']) : [];
    });
  }
  return isJsonObject(changes) ? Object.entries(changes).flatMap(([uri, edits]) => textEdits(uri, edits)) : [];
}

function textEdits(uri: Json | undefined, edits: Json | undefined): ServerEdit[] {
  const file = fileOf(uri);
  if (file === undefined || !Array.isArray(edits)) return [];
  return edits.flatMap((edit) => {
    if (!isJsonObject(edit)) return [];
    const range = rangeOf(edit['range']);
    return range === undefined || typeof edit['newText'] !== 'string' ? [] : [{file, range, newText: edit['newText']}];
  });
}

export function fileOf(uri: Json | undefined): string | undefined {
  if (typeof uri !== 'string' || !uri.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined; // no file of this machine
  }
}

function rangeOf(value: Json | undefined): Range | undefined {
  if (!isJsonObject(value)) return undefined;
  const [start, end] = [positionOf(value['start']), positionOf(value['end'])];
  return start === undefined || end === undefined ? undefined : {start, end};
}

function positionOf(value: Json | undefined): Position | undefined {
  if (!isJsonObject(value)) return undefined;
  const {line, character} = value;
  return isIndex(line) && isIndex(character) ? {line, character} : undefined;
}

function isIndex(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
