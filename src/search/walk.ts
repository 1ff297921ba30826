import {type Dirent, readdir} from 'node:fs';
import {realpath, stat} from 'node:fs/promises';
import {join, sep} from 'node:path';
import {setImmediate as breathe} from 'node:timers/promises';
import {FettleError, toFettleError} from '../base/errors.ts';
import type {IgnoreFolder} from '../workspace/ignore/ignore-folder.ts';
import {isTemporaryName} from '../workspace/temporary-file.ts';
import {compareCodePoints} from './path-order.ts';
import type {FolderChoice, Selector} from './selector.ts';

export interface WalkRequest {
  /** Absolute folder. */
  readonly root: string;
  readonly hidden: boolean;
  /** The rules of the root; undefined: nothing is ignored. */
  readonly ignore: IgnoreFolder | undefined;
  readonly selector: Selector;
  /** Also links, by their own name. */
  readonly links: boolean;
}

/**
 * Lists the selected files and links below a folder, relative to it, with `/`, ordered by code points. Links are listed and not followed,
 * unless the selector asks for it and the target stays inside the root. `.git` is never listed; folders that cannot be read are skipped.
 * Throws NOT_FOUND, DENIED … for the root, and CANCELLED.
 */
export function walk(request: WalkRequest, signal: AbortSignal): Promise<string[]> {
  return new Promise((resolve, reject) => {
    new Walk(request, signal, (error, top) => {
      if (error !== undefined) reject(error);
      else resolve(inOrder(top, signal));
    }).start();
  });
}

/** Reading runs in the thread pool of Node; more at a time does not help. */
const PARALLEL = 16;
/** Linux cannot address deeper paths. */
const DEEPEST = 2048;

interface Found {
  /** Files and listed folders by the end of their path, e.g. `a.ts` or `lib/`. */
  readonly names: string[];
  readonly folders: {readonly name: string; readonly content: Found}[];
}

interface Task {
  readonly path: string;
  readonly depth: number;
  readonly name: string;
  readonly selector: Selector;
  /** The rules of the parent; for the root its own. */
  readonly ignore: IgnoreFolder | undefined;
  readonly into: Found;
}

type Done = (error: FettleError | undefined, top: Found) => void;

/** One walk: the folders still to read and the readings under way. */
class Walk {
  private readonly waiting: Task[] = [];
  private readonly top: Found = {names: [], folders: []};
  private active = 0;
  private failure: FettleError | undefined;
  private readonly request: WalkRequest;
  private readonly signal: AbortSignal;
  private readonly done: Done;
  private realRoot: Promise<string> | undefined;

  constructor(request: WalkRequest, signal: AbortSignal, done: Done) {
    this.request = request;
    this.signal = signal;
    this.done = done;
  }

  start(): void {
    const {root, selector, ignore} = this.request;
    this.waiting.push({path: root, depth: 0, name: '', selector, ignore, into: this.top});
    this.pump();
  }

  private pump(): void {
    if (this.signal.aborted) this.failure ??= new FettleError({code: 'CANCELLED', message: 'The search was cancelled.'});
    if (this.failure !== undefined) this.waiting.length = 0;
    while (this.active < PARALLEL) {
      const task = this.waiting.pop();
      if (task === undefined) break;
      this.active++;
      readdir(task.path, {withFileTypes: true}, (error, entries) => {
        this.settle(error === null ? this.enter(task, entries) : this.refused(task, error));
      });
    }
    if (this.active === 0) this.done(this.failure, this.top);
  }

  private settle(work: Promise<void> | void): void {
    const next = (): void => {
      this.active--;
      this.pump();
    };
    if (work === undefined) next();
    else work.catch((error: unknown) => (this.failure ??= toFettleError(error))).finally(next);
  }

  private refused(task: Task, error: Error): void {
    if (task.depth === 0) this.failure ??= toFettleError(error);
  }

  private enter(task: Task, entries: Dirent[]): Promise<void> | void {
    if (task.ignore === undefined || task.depth === 0) return this.admit(task, entries, task.ignore);
    const dots = new Set(entries.map(({name}) => name).filter((name) => name.startsWith('.')));
    const ignore = task.ignore.enter(task.name, (name) => dots.has(name));
    return ignore instanceof Promise ? ignore.then((rules) => this.admit(task, entries, rules)) : this.admit(task, entries, ignore);
  }

  private admit(task: Task, entries: Dirent[], ignore: IgnoreFolder | undefined): Promise<void> | void {
    const links: Promise<void>[] = [];
    for (const entry of entries) {
      if (entry.name === '.git' || isTemporaryName(entry.name)) continue;
      if (entry.isDirectory()) this.addFolder(task, ignore, entry.name);
      else if (entry.isFile() || (this.request.links && entry.isSymbolicLink())) this.addFile(task, ignore, entry.name);
      if (task.selector.link !== undefined && entry.isSymbolicLink()) links.push(this.follow(task, ignore, entry.name));
    }
    return links.length === 0 ? undefined : Promise.all(links).then(() => undefined);
  }

  private addFolder(task: Task, ignore: IgnoreFolder | undefined, name: string): void {
    const chosen = task.selector.folder(name);
    if (chosen.choice !== 'no' && this.isOpen({name, chosen, isFolder: true}, task, ignore)) this.take(task, ignore, {name, chosen});
  }

  private addFile(task: Task, ignore: IgnoreFolder | undefined, name: string): void {
    const choice = task.selector.file(name);
    if (choice !== 'no' && this.isOpen({name, chosen: {choice}, isFolder: false}, task, ignore)) task.into.names.push(name);
  }

  /** Neither ignored nor hidden. As ripgrep has it, an ignore file that includes a name by `!` also unhides it. */
  private isOpen(entry: Entry, {selector}: Task, ignore: IgnoreFolder | undefined): boolean {
    if (entry.chosen.choice === 'forced') return true;
    const verdict = ignore?.judge(entry.name, entry.isFolder);
    if (verdict === 'ignored') return false;
    return this.request.hidden || selector.judgesDots || verdict === 'included' || !entry.name.startsWith('.');
  }

  private take(task: Task, ignore: IgnoreFolder | undefined, {name, chosen}: {name: string; chosen: FolderChoice}): void {
    if (chosen.listed === true) task.into.names.push(`${name}/`);
    if (chosen.below === undefined || task.depth >= DEEPEST) return;
    const content: Found = {names: [], folders: []};
    task.into.folders.push({name, content});
    this.waiting.push({path: task.path + sep + name, depth: task.depth + 1, name, selector: chosen.below, ignore, into: content});
  }

  private async follow(task: Task, ignore: IgnoreFolder | undefined, name: string): Promise<void> {
    const chosen = task.selector.link?.(name);
    if (chosen === undefined || chosen.choice === 'no' || !this.isOpen({name, chosen, isFolder: false}, task, ignore)) return;
    const path = join(task.path, name);
    this.realRoot ??= realpath(this.request.root);
    const target = await realpath(path).catch(() => undefined);
    if (target === undefined || !(target + sep).startsWith(withSeparator(await this.realRoot))) return;
    if ((await stat(path).catch(() => undefined))?.isDirectory() === true) this.take(task, ignore, {name, chosen});
  }
}

interface Entry {
  readonly name: string;
  readonly chosen: Pick<FolderChoice, 'choice'>;
  readonly isFolder: boolean;
}

function withSeparator(path: string): string {
  return path.endsWith(sep) ? path : path + sep;
}

/** All paths, put in order in pieces of some milliseconds: of a million it takes seconds, and keys that are typed meanwhile are not kept waiting. */
async function inOrder(top: Found, signal: AbortSignal): Promise<string[]> {
  const into: string[] = [];
  let breathed = performance.now();
  for (const {content, prefix} of parts(top, '')) {
    for (const name of content) into.push(prefix + name);
    if (performance.now() - breathed < PIECE_MS) continue;
    await breathe();
    breathed = performance.now();
    if (signal.aborted) throw new FettleError({code: 'CANCELLED', message: 'The search was cancelled.'});
  }
  return into;
}

const PIECE_MS = 8;

/** In the order of whole paths: a folder sorts as its name with `/`, so `a.ts` comes before `a/b.ts`. */
function* parts(found: Found, prefix: string): Generator<{content: readonly string[]; prefix: string}, void, undefined> {
  if (found.folders.length === 0) {
    yield {content: found.names.sort(compareCodePoints), prefix};
    return;
  }
  const folders = found.folders.map(({name, content}) => ({key: `${name}/`, content}));
  const all: {key: string; content?: Found}[] = [...found.names.map((key) => ({key})), ...folders];
  let files: string[] = [];
  for (const {key, content} of all.sort((a, b) => compareCodePoints(a.key, b.key))) {
    if (content === undefined) {
      files.push(key);
      continue;
    }
    if (files.length > 0) yield {content: files, prefix};
    files = [];
    yield* parts(content, prefix + key);
  }
  yield {content: files, prefix};
}
