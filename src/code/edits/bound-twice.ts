import type {CodeSymbol} from '../symbol.ts';
import type {EditSources} from './edit-plan.ts';
import {isLocal} from './is-member.ts';
import {wordOf} from './left-names.ts';

/**
 * Where a function of Python has the name of what is declared in it otherwise, too: as a parameter or a variable (`def f(key): if not key: def
 * key(): …`), which is the same name, but none that the index knows as a symbol. `known` holds the places that are meant, as `path:line:column`.
 */
export async function boundTwice(
  symbol: CodeSymbol,
  known: ReadonlySet<string>,
  {graph, read, signal}: EditSources,
): Promise<readonly string[]> {
  const {name, path, parentId} = symbol;
  if (parentId === undefined || !isLocal(symbol) || !/\.pyi?$/.test(path)) return [];
  const [around] = await graph.resolve({id: parentId}, signal);
  const lines = withoutTexts(await read(path)).split('\n');
  const word = new RegExp(String.raw`(?<!\.[ \t]*)${wordOf(name)}`, 'gu');
  return lines.flatMap((line, index) => {
    if (around !== undefined && (index < around.range.start.line || index > around.range.end.line)) return [];
    return [...line.matchAll(word)].map((match) => `${path}:${index + 1}:${match.index + 1}`).filter((place) => !known.has(place));
  });
}

/** Blanks for strings and comments, line by line where they were. */
function withoutTexts(text: string): string {
  const texts = /("""|''')[\s\S]*?\1|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#[^\n]*/g;
  return text.replaceAll(texts, (found) => found.replaceAll(/[^\n]/g, ' '));
}
