import type {Language, Parser} from 'web-tree-sitter';
import {FettleError} from '../../base/errors.ts';
import {chooseWalk, PROBE, type NodeWalk} from './choose-walk.ts';
import {openEngine, readGrammar, type Engine} from './engine.ts';
import type {Grammar, Syntax} from './syntax.ts';
import {timeLimit} from './time-limit.ts';

/** A grammar that is loaded; `parse` gives undefined when the text took longer than its limit. */
export interface TextParser {
  readonly grammar: Grammar;
  parse(text: string): Syntax | undefined;
}

/** The parser looks at the time now and then; a text that takes more work is given up. Milliseconds. */
const LONGEST_PARSE = 5000;

const loaded = new Map<string, Promise<TextParser>>();

/**
 * Loads a grammar once for each thread and name (`typescript`). Errors: UNAVAILABLE, when it is not shipped or cannot be loaded.
 */
export function openParser(grammar: string): Promise<TextParser> {
  let parser = loaded.get(grammar);
  if (parser === undefined) {
    parser = load(grammar);
    loaded.set(grammar, parser);
  }
  return parser;
}

async function load(grammar: string): Promise<TextParser> {
  try {
    const {module, calls} = await openEngine();
    const language = await module.Language.load(await readGrammar(grammar));
    const parser = new module.Parser();
    parser.setLanguage(language);
    return textParser({parser, language, calls});
  } catch (cause) {
    throw new FettleError({
      code: 'UNAVAILABLE',
      message: `The grammar "${grammar}" could not be loaded.`,
      hint: 'Install Fettle again; its package carries the grammars.',
      cause,
    });
  }
}

interface Loaded extends Pick<Engine, 'calls'> {
  readonly parser: Parser;
  readonly language: Language;
}

function textParser({parser, language, calls}: Loaded): TextParser {
  const grammar = {types: language.types.map(interned), fields: language.fields.map((name) => interned(name ?? ''))};
  const named = Uint8Array.from(language.types, (_, id) => (language.nodeTypeIsNamed(id) ? 1 : 0));
  function parseWith(text: string, walk: NodeWalk): Syntax | undefined {
    const tree = parser.parse((at) => text.slice(at, at + CHUNK), null, {progressCallback: timeLimit(LONGEST_PARSE)});
    if (tree === null) {
      parser.reset();
      return undefined;
    }
    try {
      return {text, grammar, ...walk({tree, calls, named}), broken: tree.rootNode.hasError};
    } finally {
      tree.delete();
    }
  }
  // What is compiled for this parse is ready for the first text that somebody waits for.
  const walk = chooseWalk((one) => parseWith(PROBE, one));
  return {grammar, parse: (text) => parseWith(text, walk)};
}

/** What the engine takes from the text at once, in UTF-16 units: it has a fixed buffer of 10 KB. */
const CHUNK = 5000;

/** One object for equal names: comparing them then compares addresses. */
function interned(name: string): string {
  return Object.keys({[name]: 0})[0] ?? name;
}
