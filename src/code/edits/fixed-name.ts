import type {CodeSymbol} from '../symbol.ts';
import {textOfRange} from './range-edits.ts';

/** Why a symbol keeps its name whatever the code says: it is a text, that of a file, or the language itself calls it; else undefined. */
export function fixedName({name, kind, range, nameRange}: CodeSymbol, text: string, language: string): string | undefined {
  const {line, character} = nameRange.start;
  const isQuoted = /["'`]$/.test((text.split('\n')[line] ?? '').slice(0, character)) || /^["'`]/.test(textOfRange(text, nameRange));
  if (isQuoted) return 'its name is a text';
  if (kind === 'module' && range.start.line === range.end.line && !textOfRange(text, range).includes('{')) {
    return 'its name is that of a file or a folder';
  }
  if (language === 'python' && isFixture(text, line)) return 'pytest hands it to whoever asks for it by its name';
  return CALLED[language]?.test(name) === true ? `${language} itself calls ${name}` : undefined;
}

/** Decorated so, in the lines directly above. */
function isFixture(text: string, line: number): boolean {
  const above = text.split('\n').slice(0, line);
  const first = above.findLastIndex((one) => one.trim() === '') + 1;
  return above.slice(first).some((one) => /^\s*@(?:pytest(?:_asyncio)?\.)?fixture\b/.test(one));
}

const SCRIPT = /^(?:constructor|toString|toLocaleString|valueOf|toJSON|then)$/;
const JVM = /^(?:main|toString|equals|hashCode|compareTo|close|clone|finalize|iterator)$/;
const MAIN = /^main$/;

const CALLED: Readonly<Record<string, RegExp | undefined>> = {
  typescript: SCRIPT,
  tsx: SCRIPT,
  javascript: SCRIPT,
  python: /^(?:__\w+__|pytest_\w+|(?:setup|teardown)_(?:module|function|class|method))$/,
  php: /^__\w+$/,
  ruby: /^(?:initialize|method_missing|respond_to_missing\?|each|call|inspect|hash|to_\w+)$/,
  java: JVM,
  kotlin: JVM,
  scala: JVM,
  csharp: /^(?:Main|ToString|Equals|GetHashCode|Dispose)$/,
  go: /^(?:main|init|String|Error)$/,
  rust: MAIN,
  c: MAIN,
  cpp: MAIN,
  swift: MAIN,
  lua: /^__\w+$/,
};
