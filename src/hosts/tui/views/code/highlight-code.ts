import type {HLJSApi} from 'highlight.js';
import type {Line} from '../../cells/line.ts';
import {shownRows} from '../../cells/shown-text.ts';
import {PLAIN_CODE, type CodeState} from '../../model/printed.ts';
import {CODE_LANGUAGES, codeLanguage} from './code-languages.ts';
import {ScopeEmitter} from './scope-emitter.ts';

/** Reads the highlighter and one language; until then its code is shown plain. Unknown languages are never coloured. */
export async function loadLanguage(word: string): Promise<void> {
  const name = codeLanguage(word);
  const language = name === undefined ? undefined : CODE_LANGUAGES.get(name);
  if (name === undefined || language === undefined || isLoaded(name)) return;
  const [{default: core}, {default: definition}] = await Promise.all([import('highlight.js/lib/core'), language.load()]);
  highlighter ??= ownInstance(core);
  highlighter.registerLanguage(name, definition);
  // The first use compiles the language: some milliseconds that no frame should pay.
  highlighter.highlight('', {language: name});
}

/** The languages of the fenced code in a Markdown text that {@link loadLanguage} has yet to read. */
export function missingLanguages(markdown: string): readonly string[] {
  return unreadLanguages(Array.from(markdown.matchAll(FENCES), ([, word = '']) => codeLanguage(word)));
}

/** Returns the languages that {@link loadLanguage} has yet to read. */
export function unreadLanguages(names: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(names)].filter((name) => name !== undefined).filter((name) => !isLoaded(name));
}

/** The rows of a whole text of code, not wrapped. Code beyond 50 KB and very long lines are not coloured. */
export function highlightCode(code: string, word: string | undefined): readonly Line[] {
  let state = startCode(word);
  return code.split('\n').flatMap((line) => {
    const next = highlightLine(state, line);
    state = next.state;
    return next.rows;
  });
}

export function startCode(word: string | undefined): CodeState {
  return word === undefined ? PLAIN_CODE : {...PLAIN_CODE, language: codeLanguage(word)};
}

/** One line of code; it becomes several rows only if it contains a carriage return. */
export function highlightLine(state: CodeState, line: string): {readonly rows: readonly Line[]; readonly state: CodeState} {
  const rows = shownRows(line);
  const size = state.size + line.length + 1;
  const colours = rows.length === 1 ? colouredRow({...state, size}, rows[0] ?? '') : undefined;
  if (colours !== undefined) return {rows: [colours.row], state: colours.state};
  return {rows: rows.map((text) => plainRow(text)), state: {...state, size}};
}

function plainRow(text: string): Line {
  return text === '' ? [] : [{text, style: ['code']}];
}

function colouredRow(state: CodeState, text: string): {readonly row: Line; readonly state: CodeState} | undefined {
  const {language, size, open, scopes} = state;
  if (language === undefined || !isLoaded(language) || size > MOST_CODE || text.length > MOST_LINE) return undefined;
  const before = open.map((line) => `${line}\n`).join('');
  const whole = `${before}${text}\n`;
  const emitter = highlighter?.highlight(whole, {language, ignoreIllegals: true})._emitter;
  if (!(emitter instanceof ScopeEmitter) || emitter.length !== whole.length) return undefined;
  const row = emitter.spans(before.length, before.length + text.length);
  const now = emitter.openScopes;
  // A line that does not change the open scopes says nothing about the lines that follow.
  const opened = now === '' ? [] : now === scopes ? open : [...open, text];
  const isTooMuch = opened.reduce((sum, line) => sum + line.length, 0) > MOST_LINE;
  return {row, state: isTooMuch ? {...state, open: [], scopes: ''} : {...state, open: opened, scopes: now}};
}

function isLoaded(name: string): boolean {
  return highlighter?.getLanguage(name) !== undefined;
}

/** The settings of highlight.js belong to an instance: ours are not those of anyone else. */
function ownInstance(core: HLJSApi): HLJSApi {
  const own = core.newInstance();
  own.configure({__emitter: ScopeEmitter});
  return own;
}

let highlighter: HLJSApi | undefined;

const MOST_CODE = 50 * 1024;
const MOST_LINE = 2000;
const FENCES = /^[ \t>*+-]*(?:`{3,}|~{3,})[ \t]*([\w+#.-]+)/gm;
