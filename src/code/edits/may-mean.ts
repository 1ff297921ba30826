import type {FileFacts} from '../file-facts.ts';
import type {Relation} from '../relation.ts';
import type {CodeSymbol} from '../symbol.ts';
import type {EditSources} from './edit-plan.ts';

/**
 * Of the uses of a name that nothing proves, those that could mean this symbol: where a language tells members from other names by how they
 * are written, `console.log` is no use of a function `log`, and `start()` none of a method. Elsewhere all of them.
 */
export async function mayMean(
  {parentId}: CodeSymbol,
  uses: readonly Relation[],
  {graph, read}: EditSources,
  signal: AbortSignal,
): Promise<readonly Relation[]> {
  const found: Relation[] = [];
  for (const [path, ofFile] of Map.groupBy(uses, (use) => use.path)) {
    const text = await read(path, signal);
    const facts = await graph.factsOf(path, text, signal);
    const lines = text.split('\n');
    found.push(...ofFile.filter((use) => facts === undefined || couldBe(use, lines, facts, parentId !== undefined)));
  }
  return found;
}

function couldBe({range: {start}}: Relation, lines: readonly string[], {language, imports}: FileFacts, isMember: boolean): boolean {
  if (!TELLS_MEMBERS.has(language)) return true;
  const before = (lines[start.line] ?? '').slice(0, start.character).trimEnd();
  const above = before === '' ? (lines[start.line - 1] ?? '').trimEnd() : before;
  const isWrittenAsMember = /\??\.$/.test(above) || before.trimStart().startsWith('.');
  if (isMember) return isWrittenAsMember;
  if (!isWrittenAsMember) return true;
  // A module under a name: what it holds is written as its member.
  const receiver = /([\p{ID_Continue}$]+)\??\.$/u.exec(above)?.[1];
  const module = imports.find(({local}) => local === receiver)?.module;
  return module !== undefined && (language === 'python' || module.startsWith('.'));
}

const TELLS_MEMBERS: ReadonlySet<string> = new Set(['typescript', 'tsx', 'javascript', 'python']);
