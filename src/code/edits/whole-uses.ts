import type {FileFacts, ImportFact, UseFact} from '../file-facts.ts';
import type {Range} from '../symbol.ts';
import type {EditSources} from './edit-plan.ts';

/** A file of TypeScript or JavaScript, with what it says. */
export interface Script {
  readonly path: string;
  readonly text: string;
  readonly facts: FileFacts;
}

export const SCRIPT = /\.[cm]?[jt]sx?$/;

/** Every script whose text may be of interest. */
export async function scriptsWith(pattern: RegExp, {graph, read, signal}: EditSources): Promise<readonly Script[]> {
  const files: Script[] = [];
  for (const {path} of await graph.files(signal)) {
    if (!SCRIPT.test(path)) continue;
    const text = await read(path);
    if (!pattern.test(text)) continue;
    const facts = await graph.factsOf(path, text, signal);
    if (facts !== undefined) files.push({path, text, facts});
  }
  return files;
}

/** Where something that is imported stands for itself and not for a member of it, in the order of the text. */
export function wholeUses({text, facts: {imports, exports, uses}}: Script, of: readonly ImportFact[]): readonly UseFact[] {
  const lines = text.split('\n');
  const names = new Set(of.flatMap(({local}) => local ?? []));
  const passed = new Set([...imports, ...exports].map(({range}) => placeOf(range)));
  return uses.filter(
    ({name, receiver, target, range}) =>
      names.has(name) && receiver === undefined && target < 0 && !passed.has(placeOf(range)) && !namesMember(range, lines),
  );
}

function placeOf({start: {line, character}}: Range): string {
  return `${line}:${character}`;
}

function namesMember({end}: Range, lines: readonly string[]): boolean {
  const after = (lines[end.line] ?? '').slice(end.character);
  return /^\s*[?!]?\.\s*[\p{ID_Start}_$#]/u.test(after.trim() === '' ? (lines[end.line + 1] ?? '') : after);
}
