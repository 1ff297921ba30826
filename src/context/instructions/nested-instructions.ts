import {relative, sep} from 'node:path';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {Message} from '../../protocol/messages.ts';
import {cleanText} from './clean-text.ts';
import {expandImports, type ReadImport} from './expand-imports.ts';
import {firstBytes, MOST_BYTES} from './fit-size.ts';
import {scopedPath, scopedText, type Instruction} from './instruction.ts';
import {hiddenNotice, type PathRule} from './load-instructions.ts';

export interface NestedOptions {
  /** Root of the project: absolute, a real path. */
  readonly root: string;
  /** Paths from the root that are sent with every request. */
  readonly always: ReadonlySet<string>;
  readonly rules: readonly PathRule[];
  /** The instruction file of a folder (`a/b/`) as it was trusted; a problem if there is one that was not. Each folder is asked for once. */
  readonly fileOf: (folder: string) => Promise<FolderFile>;
  readonly read: ReadImport;
}

export type FolderFile = {readonly path: string; readonly text: string} | {readonly path: string; readonly problem: string} | undefined;

export interface DueInstructions {
  /** Messages for the model. */
  readonly texts: readonly string[];
  /** For a person. */
  readonly problems: readonly {readonly path: string; readonly message: string}[];
}

/**
 * Instructions of folders, and rules for certain files, that are added when such files are used: once, after the results of the calls, so that
 * the beginning of the requests stays the same. If a compaction removes them from the conversation, they are added again; a rewind takes them
 * back.
 */
export interface NestedInstructions {
  /** A call read or wrote this file; absolute, a real path. */
  touch(path: string): void;
  /** Takes every event of the thread, earlier ones too. */
  observe(event: ThreadEvent): void;
  /** Returns the instructions that have to be added now. */
  due(messages: readonly Message[]): Promise<DueInstructions>;
  /** True after a change of the conversation that may have taken something out. */
  mayMiss(): boolean;
}

export function createNestedInstructions(options: NestedOptions): NestedInstructions {
  const sources = createSources(options);
  const touched = new Set<string>();
  let injected = new Set<string>();
  let change: 'none' | 'shortened' | 'rewound' = 'none';
  /** Updates the injected instructions from the conversation; returns those that a compaction removed, so that they are added again. */
  const settle = (messages: readonly Message[]): string[] => {
    const shown = new Set(messages.flatMap((message) => (message.role === 'user' ? (scopedPath(message.text) ?? []) : [])));
    const missing = change === 'shortened' ? [...injected].filter((path) => !shown.has(path)) : [];
    if (change !== 'none') injected = shown;
    change = 'none';
    return missing;
  };
  return {
    touch(path) {
      const below = relative(options.root, path).split(sep).join('/');
      if (below !== '' && !below.startsWith('../')) touched.add(below);
    },
    observe(event) {
      if (event.type === 'thread.compact_boundary') change = change === 'rewound' ? change : 'shortened';
      else if (event.type === 'thread.rewound') change = 'rewound';
      else if (event.type === 'item.completed' && event.item.type === 'user_message' && event.item.origin === 'harness') {
        const path = scopedPath(event.item.text);
        if (path !== undefined) injected.add(path);
      }
    },
    mayMiss: () => change !== 'none',
    async due(messages) {
      const problems: Problem[] = [];
      const wanted = new Set<string>();
      for (const path of settle(messages)) for (const one of await sources.again(path)) wanted.add(one);
      for (const path of touched) for (const one of await sources.forFile(path, problems)) wanted.add(one);
      touched.clear();
      const texts: string[] = [];
      for (const path of [...wanted].filter((one) => !injected.has(one))) texts.push(...(await sources.render(path, problems)));
      return {texts, problems};
    },
  };
}

type Problem = DueInstructions['problems'][number];

interface Scoped extends Instruction {
  /** Absent: a rule. */
  readonly folder?: string;
  readonly files: string;
}

interface Sources {
  /** The paths of the instructions that are for a file. */
  forFile(path: string, problems: Problem[]): Promise<string[]>;
  /** The same path, if it still has instructions: an earlier run of the thread received them. */
  again(path: string): Promise<string[]>;
  render(path: string, problems: Problem[]): Promise<string[]>;
}

function createSources({always, rules, fileOf, read}: NestedOptions): Sources {
  const known = new Map<string, Scoped>(rules.map((rule) => [rule.path, {...rule, files: rule.globs.join(', ')}]));
  const looked = new Set<string>();
  const reported = new Set<string>();
  const tell = (path: string, message: string, problems: Problem[]): void => {
    if (!reported.has(message)) problems.push({path, message});
    reported.add(message);
  };
  const look = async (folder: string, problems: Problem[]): Promise<void> => {
    if (looked.has(folder)) return;
    looked.add(folder);
    const file = await fileOf(folder);
    if (file === undefined || always.has(file.path)) return;
    if ('problem' in file) tell(file.path, `${file.path}: not used: ${file.problem}`, problems);
    else known.set(file.path, {folder, files: folder, path: file.path, scope: 'project', text: file.text});
  };
  return {
    async forFile(path, problems) {
      const folders = foldersOf(path);
      for (const folder of folders) await look(folder, problems);
      const ofFolders = [...known.values()].filter(({folder}) => folder !== undefined && folders.includes(folder));
      return [...ofFolders, ...rules.filter((rule) => rule.matches(path))].map((one) => one.path);
    },
    async again(path) {
      if (!known.has(path)) await look(path.replace(/[^/]*$/, ''), []);
      return known.has(path) ? [path] : [];
    },
    async render(path, problems) {
      const scoped = known.get(path);
      if (scoped === undefined) return [];
      if (scoped.folder === undefined) return [scopedText(scoped, scoped.files)];
      const expanded = await expandImports(scoped, read, new Set());
      const {text, hidden} = cleanText(expanded.text);
      const kept = Buffer.byteLength(text) <= MOST_BYTES ? text : firstBytes(text, MOST_BYTES);
      for (const problem of expanded.problems) tell(path, problem, problems);
      if (hidden > 0) tell(path, hiddenNotice(path, hidden), problems);
      if (kept !== text) tell(path, `${path}: only the first ${Buffer.byteLength(kept)} bytes go to the model`, problems);
      return kept.trim() === '' ? [] : [scopedText({...scoped, text: kept}, scoped.files)];
    },
  };
}

/** `a/`, `a/b/` for `a/b/c.ts`: the folders on the way to a file, without the root. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return ['', ...names.map((_, index) => `${names.slice(0, index + 1).join('/')}/`)];
}
