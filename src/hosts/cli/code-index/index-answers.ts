import {relative, resolve, sep} from 'node:path';
import {FettleError} from '../../../base/errors.ts';
import type {CodeGraph} from '../../../code/code-graph.ts';
import type {PictureFormat} from '../../../code/pictures/edge-picture.ts';
import type {RelationKind} from '../../../code/relation.ts';
import type {SymbolKind} from '../../../code/symbol.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import type {SymbolsResult} from '../../../tools/operations/symbols/find-symbols.ts';
import {symbolsText} from '../../../tools/toolsets/symbols-text.ts';
import type {Workspace} from '../../../workspace/workspace.ts';
import type {Io} from '../io.ts';

/** The options of `fettle index …`, as they are typed. */
export interface IndexOptions {
  readonly cwd?: string;
  readonly json?: true;
  readonly force?: true;
  readonly path?: string;
  readonly kind?: SymbolKind;
  readonly relation?: RelationKind;
  readonly format?: PictureFormat;
  readonly limit?: string;
  readonly write?: true;
  /** As it was left: nothing is looked at. */
  readonly stale?: true;
}

/** The index that a command queries, and its location. */
export interface At {
  readonly io: Io;
  readonly options: IndexOptions;
  readonly workspace: Workspace;
  readonly root: string;
  /** The current folder of the person. */
  readonly cwd: string;
  readonly graph: CodeGraph;
  readonly signal: AbortSignal;
}

/** Prints an answer as text, or as JSON on request; returns the exit code. */
export function show({io, options}: Pick<At, 'io' | 'options'>, result: SymbolsResult, exit: number = EXIT.done): number {
  if (options.json === true) return json(io, result.found, exit);
  io.shown(`${symbolsText(result, HOW[result.action]).text}\n`);
  return exit;
}

/** Hints how to see the parts that an answer leaves out. */
const HOW: Readonly<Record<string, string>> = {
  search: '--limit shows more, --path and --kind show less',
  show: '--limit shows more, --relation shows less',
  references: '--limit shows more',
};

/** Prints a value as JSON; returns the exit code. */
export function json(io: Io, value: object, exit: number = EXIT.done): number {
  io.data(`${JSON.stringify(value, null, 2)}\n`);
  return exit;
}

/** Returns `--limit` as a number. Throws USAGE. */
export function limitOf({limit = '20'}: IndexOptions): number {
  const count = Number(limit);
  if (Number.isInteger(count) && count > 0) return count;
  throw new FettleError({code: 'USAGE', message: `--limit: ${limit} is not a number of results.`, hint: 'Give a whole number from 1.'});
}

/** A file is named relative to the current folder of the person. */
export function fromRoot(file: string, cwd: string, root: string): string {
  const path = relative(root, resolve(cwd, file)).split(sep).join('/');
  if (path !== '..' && !path.startsWith('../')) return path;
  throw new FettleError({code: 'OUTSIDE_SCOPE', message: `${file} is outside of ${root}.`, hint: 'Name a file in this folder.'});
}
