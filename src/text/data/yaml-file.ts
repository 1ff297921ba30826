import {isDeepStrictEqual} from 'node:util';
import {parseAllDocuments, type Document} from 'yaml';
import {commonEnding, indentOf} from './data-style.ts';
import {toEnding} from '../line-endings.ts';
import type {DataFormat} from './data-format.ts';

/** YAML with one or several documents. */
export const yamlFormat: DataFormat = {
  problem(text) {
    const first = documentsOf(text)
      .flatMap(({errors}) => errors)
      .at(0);
    if (first === undefined) return undefined;
    const {line, col} = first.linePos?.[0] ?? {line: 1, col: 1};
    return `${first.message.split(/ at line | in line |:?\n/)[0] ?? ''} in line ${line}, column ${col}`;
  },
  reformat(text, style) {
    const documents = documentsOf(text);
    const options = {
      indent: Math.max(2, indentOf(style)?.width ?? 2),
      indentSeq: !/^([ ]*)[^\s#-][^\n]*:[ ]*\r?\n\1- /m.test(style),
      lineWidth: 0,
    };
    const printed = documents.map((document) => document.toString(options)).join('');
    // Values that cannot be printed with the same meaning stay as they were written.
    if (!isDeepStrictEqual(valuesOf(documentsOf(printed)), valuesOf(documents))) return text;
    return toEnding(printed, commonEnding(style) ?? '\n');
  },
};

function documentsOf(text: string): readonly Document.Parsed[] {
  const documents = parseAllDocuments(toEnding(text, '\n'));
  return 'empty' in documents ? [] : documents;
}

function valuesOf(documents: readonly Document.Parsed[]): readonly unknown[] {
  return documents.map((document): unknown => document.toJS());
}
