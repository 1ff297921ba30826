import {cleanText} from './clean-text.ts';
import {expandImports, type NamedText} from './expand-imports.ts';
import {fitInstructions} from './fit-size.ts';
import type {Instruction} from './instruction.ts';
import type {ProjectTexts} from './project-texts.ts';
import {userImports, userTexts, type UserPlace} from './user-texts.ts';

/** A rule for certain files. */
export interface PathRule extends Instruction {
  readonly globs: readonly string[];
  /** @param path From the root of the project. */
  matches(path: string): boolean;
}

export interface LoadedInstructions {
  /** For the beginning of every request, weak to strong: the user's, the project's from its root down, its rules. */
  readonly always: readonly Instruction[];
  readonly byPath: readonly PathRule[];
  /** Parts of `always` that were left out for their size, one line each. */
  readonly cuts: readonly string[];
  /** Notices for the user, one line each. */
  readonly notices: readonly string[];
}

/**
 * The instructions of a session (AGENTS.md convention; VT Code › instruction memory), at most 32 KiB that go with every request.
 * @param project What is trusted of the project; undefined: nothing.
 */
export async function loadInstructions(user: UserPlace, project: ProjectTexts | undefined): Promise<LoadedInstructions> {
  const {files, rules, problems} = await userTexts(user);
  const loading: Loading = {always: [], byPath: [], notices: [...problems], seen: new Set()};
  await addTexts(loading, {scope: 'user', files, rules, read: userImports(user)});
  if (project !== undefined) await addTexts(loading, {scope: 'project', ...project});
  const {kept, cuts} = fitInstructions(loading.always);
  const notices = [...loading.notices, ...cuts.map((cut) => `instructions: ${cut}; 32 KiB go to the model`)];
  return {always: kept, byPath: loading.byPath, cuts, notices};
}

interface Loading {
  readonly always: Instruction[];
  readonly byPath: PathRule[];
  readonly notices: string[];
  /** Files already used: a text that several files import is included only with the first. */
  readonly seen: Set<string>;
}

type Texts = ProjectTexts & Pick<Instruction, 'scope'>;

async function addTexts(loading: Loading, texts: Texts): Promise<void> {
  for (const source of texts.files) loading.always.push(...(await prepared(loading, source, texts)));
  for (const source of texts.rules) await addRule(loading, source, texts);
}

async function addRule(loading: Loading, {path, text}: NamedText, texts: Texts): Promise<void> {
  const {matchesGlobs, readRuleFile} = await import('./path-rule.ts');
  const rule = readRuleFile(text);
  if ('problem' in rule) return void loading.notices.push(`${path}: not used: ${rule.problem}`);
  const {globs} = rule;
  for (const made of await prepared(loading, {path, text: rule.body}, texts)) {
    if (globs.length === 0) loading.always.push(made);
    else loading.byPath.push({...made, globs, matches: matchesGlobs(globs)});
  }
}

/** None if nothing is left of it. */
async function prepared(loading: Loading, source: NamedText, {scope, read}: Texts): Promise<Instruction[]> {
  const expanded = await expandImports(source, read, loading.seen);
  const {text, hidden} = cleanText(expanded.text);
  loading.notices.push(...expanded.problems, ...(hidden === 0 ? [] : [hiddenNotice(source.path, hidden)]));
  return text.trim() === '' ? [] : [{path: source.path, scope, text: text.trim()}];
}

export function hiddenNotice(path: string, hidden: number): string {
  return `${path}: ${hidden} invisible or direction-changing characters in it; the model sees them escaped`;
}
