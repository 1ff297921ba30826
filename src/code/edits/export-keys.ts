import type {FileFacts} from '../file-facts.ts';
import type {Range} from '../symbol.ts';

/**
 * Where a file gives a name to others that it writes a second time: `{a: a}`, `exports.a = a`, `export {a as a}`, `__all__ = ['a']`. Who
 * imports it uses this one, so both change together.
 */
export function exportKeys(text: string, {language, exports}: FileFacts, name: string): readonly Range[] {
  return language === 'python' ? listedNames(text, name) : secondNames(text, exports, name);
}

function secondNames(text: string, exports: FileFacts['exports'], name: string): readonly Range[] {
  const lines = text.split('\n');
  return exports
    .filter((each) => each.module === undefined && each.name === name && each.original === name)
    .flatMap(({range: {start, end}}) => {
      const line = lines[start.line] ?? '';
      const [before, after] = [line.slice(0, start.character), line.slice(end.character)];
      const key = /([\p{ID_Continue}$]+)(\s*[:=]\s*)$/u.exec(before);
      const alias = /^(\s+as\s+)([\p{ID_Continue}$]+)/u.exec(after);
      if (key?.[1] === name) return [rangeAt(start.line, key.index, name)];
      return alias?.[2] === name ? [rangeAt(start.line, end.character + (alias[1] ?? '').length, name)] : [];
    });
}

/** In `__all__`, which is a list of texts. */
function listedNames(text: string, name: string): readonly Range[] {
  const found: Range[] = [];
  for (const {index, 0: list} of text.matchAll(/\b__all__\b[^'"\n]*[[(][^\])]*/g)) {
    for (const entry of list.matchAll(/(['"])([\p{ID_Continue}]+)\1/gu)) {
      if (entry[2] !== name) continue;
      const before = text.slice(0, index + entry.index + 1);
      found.push(rangeAt(before.split('\n').length - 1, before.length - before.lastIndexOf('\n') - 1, name));
    }
  }
  return found;
}

function rangeAt(line: number, character: number, name: string): Range {
  return {start: {line, character}, end: {line, character: character + name.length}};
}
