import {existsSync, lstatSync} from 'node:fs';
import {lstat} from 'node:fs/promises';
import {join, relative, sep} from 'node:path';
import {newId} from '../../base/ids.ts';
import {INSTRUCTION_NAMES} from '../../config/trust/instruction-text.ts';
import type {FolderFile, NestedInstructions} from '../../context/instructions/nested-instructions.ts';
import type {LoadedInstructions} from '../../context/instructions/load-instructions.ts';
import type {ReadTrusted} from '../../context/instructions/project-texts.ts';
import type {ModelRequest} from '../../models/provider.ts';
import type {Subject} from '../../policy/decision.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {History} from '../../sessions/history.ts';
import {trustedTexts} from '../trust/trusted-text.ts';
import type {SessionSettings} from './session-settings.ts';

/** Reads the instructions of a session: the user's, and those of a trusted project. */
export async function sessionInstructions(session: SessionSettings): Promise<LoadedInstructions> {
  const {paths, home, trust, trusted, cwd} = session;
  const ofProject = trusted && trust.items.some(({kind}) => kind === 'instructions' || kind === 'rule');
  // Most sessions have none; nothing is loaded for them.
  if (!ofProject && !hasUserTexts(paths.configDir, home)) return NONE;
  const {loadInstructions} = await import('../../context/instructions/load-instructions.ts');
  const user = {configDir: paths.configDir, home};
  if (!trusted) return await loadInstructions(user, undefined);
  const {projectTexts} = await import('../../context/instructions/project-texts.ts');
  const folder = relative(trust.root, cwd).split(sep).join('/');
  return await loadInstructions(user, projectTexts(trust.items, folder, readerOf(session)));
}

const NONE: LoadedInstructions = {always: [], byPath: [], cuts: [], notices: []};

function hasUserTexts(configDir: string, home: string): boolean {
  const names = [...INSTRUCTION_NAMES, 'rules'].map((name) => join(configDir, name));
  return [...names, join(home, '.agents', 'AGENTS.md')].some((path) => existsSync(path));
}

/** Adds the instructions of folders and file patterns when a thread touches them. */
export interface ScopedInstructions {
  observe(event: ThreadEvent): void;
  /** Takes the paths that a call touches. */
  touch(subjects: readonly Subject[]): void;
  /** Adds due instructions, after the calls of a reply. */
  flush(turnId: string | undefined): Promise<void>;
  /** Wraps a request; instructions that a change of the conversation removed are added again. */
  around(request: (signal: AbortSignal) => Promise<ModelRequest>): (signal: AbortSignal) => Promise<ModelRequest>;
}

export interface ScopedInstructionsOptions {
  readonly session: SessionSettings;
  readonly instructions: LoadedInstructions;
  readonly emit: (event: ThreadEvent) => void;
  readonly history: () => History;
}

export function addScopedInstructions({session, instructions, emit, history}: ScopedInstructionsOptions): ScopedInstructions {
  const earlier: ThreadEvent[] = [];
  const touched = new Set<string>();
  let nested: NestedInstructions | undefined;
  let turn: string | undefined;
  const open = async (): Promise<NestedInstructions> => {
    if (nested !== undefined) return nested;
    const [{createNestedInstructions}, {projectImports}] = await Promise.all([
      import('../../context/instructions/nested-instructions.ts'),
      import('../../context/instructions/project-texts.ts'),
    ]);
    nested = createNestedInstructions({
      root: session.trust.root,
      always: new Set(instructions.always.map(({path}) => path)),
      rules: instructions.byPath,
      fileOf: folderFiles(session),
      read: projectImports(readerOf(session)),
    });
    for (const event of earlier.splice(0)) nested.observe(event);
    return nested;
  };
  const flush = async (turnId: string | undefined): Promise<void> => {
    if (touched.size === 0 && nested?.mayMiss() !== true && !earlier.some(changesHistory)) return;
    const one = await open();
    for (const path of touched) if (isFile(path)) one.touch(path);
    touched.clear();
    const {texts, problems} = await one.due(history().messages());
    for (const {path, message} of problems) emit({type: 'item.completed', turn_id: turnId, item: notUsed(path, message)});
    for (const text of texts) {
      emit({type: 'item.completed', turn_id: turnId, item: {id: newId('itm'), type: 'user_message', text, origin: 'harness'}});
    }
  };
  return {
    observe(event) {
      if (event.type === 'turn.started') turn = event.turn_id;
      if (nested !== undefined) nested.observe(event);
      else if (changesHistory(event) || isScoped(event)) earlier.push(event);
    },
    touch(subjects) {
      for (const subject of subjects) if (subject.kind === 'path' && subject.inside) touched.add(subject.path);
    },
    flush,
    around: (request) => async (signal) => {
      await flush(turn);
      const made = await request(signal);
      if (nested?.mayMiss() !== true && !earlier.some(changesHistory)) return made;
      await flush(turn);
      return {...made, messages: history().messages()};
    },
  };
}

function changesHistory({type}: ThreadEvent): boolean {
  return type === 'thread.compact_boundary' || type === 'thread.rewound';
}

function isScoped(event: ThreadEvent): boolean {
  return event.type === 'item.completed' && event.item.type === 'user_message' && event.item.origin === 'harness';
}

function notUsed(path: string, message: string): Extract<ThreadEvent, {type: 'item.completed'}>['item'] {
  return {id: newId('itm'), type: 'harness', event: 'instructions_not_used', message, path};
}

/** Listing or searching a folder is not working in it. A path that no longer exists was worked in. */
function isFile(path: string): boolean {
  try {
    return !lstatSync(path).isDirectory();
  } catch {
    return true;
  }
}

/** Finds the instruction file of a folder of the project, but not of a repository inside it. */
function folderFiles(session: SessionSettings): (folder: string) => Promise<FolderFile> {
  const {root, state} = session.trust;
  const read = trustedTexts(session);
  return async (folder) => {
    // For an untrusted project, the session began with a notice.
    if ((state !== 'trusted' && state !== 'empty') || (await isInNestedProject(root, folder))) return undefined;
    const {instructionFile} = await import('../../config/trust/collect-items.ts');
    const path = await instructionFile(root, folder, session.settings.context.instruction_files);
    const text = path === undefined ? undefined : await read(path);
    return path === undefined || text === undefined ? undefined : {path, ...text};
  };
}

async function isInNestedProject(root: string, folder: string): Promise<boolean> {
  const names = folder.split('/').filter((name) => name !== '');
  const gits = names.map((_, index) => join(root, ...names.slice(0, index + 1), '.git'));
  const found = await Promise.all(gits.map((path) => lstat(path).catch(() => undefined)));
  return found.some((stats) => stats !== undefined);
}

function readerOf(session: SessionSettings): ReadTrusted {
  const read = trustedTexts(session);
  return async (path) => {
    const found = await read(path);
    return found !== undefined && 'text' in found ? found.text : undefined;
  };
}
