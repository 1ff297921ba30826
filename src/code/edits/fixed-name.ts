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
  return CALLED[language]?.test(name) === true ? `${language} itself calls ${name}` : undefined;
}

const SCRIPT = /^(?:constructor|toString|toLocaleString|valueOf|toJSON|then)$/;
const JVM = /^(?:main|toString|equals|hashCode|compareTo|close|clone|finalize|iterator)$/;
const MAIN = /^main$/;

const CALLED: Readonly<Record<string, RegExp | undefined>> = {
  typescript: SCRIPT,
  tsx: SCRIPT,
  javascript: SCRIPT,
  python: /^__\w+__$/,
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
