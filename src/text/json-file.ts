import {applyEdits, format, parse, printParseErrorCode, type ParseError} from 'jsonc-parser';
import type {DataFormat} from './data-file.ts';
import {commonEnding, indentOf} from './data-style.ts';
import {lineNumbers} from './repeated-text.ts';
import {toEnding} from './line-endings.ts';

/** JSON, and JSON with comments: `.jsonc`, the files of which that is known, and every file that has some already. */
export function jsonFormat(path: string): DataFormat {
  const comments = /\.jsonc$|(?:^|[/\\])(?:[tj]sconfig[^/\\]*|devcontainer|\.eslintrc|\.vscode[/\\][^/\\]+)\.json$/i.test(path);
  return {
    problem: (text, before) => firstProblem(text, comments || firstProblem(before, false) !== undefined),
    reformat: reformatted,
  };
}

function firstProblem(text: string, comments: boolean): string | undefined {
  const errors: ParseError[] = [];
  parse(text, errors, {disallowComments: !comments, allowTrailingComma: comments, allowEmptyContent: false});
  const [first] = errors;
  if (first === undefined) return undefined;
  const before = toEnding(text.slice(0, first.offset), '\n');
  const [line = 1] = lineNumbers(before, [before.length]);
  return `${words(printParseErrorCode(first.error))} in line ${line}, column ${before.length - before.lastIndexOf('\n')}`;
}

/** "PropertyNameExpected" → "property name expected". */
function words(code: string): string {
  return code.replace(/(?!^)([A-Z])/g, ' $1').toLowerCase();
}

/** Only blanks between the tokens change; in a file that has several values in a line, only the indentation. */
function reformatted(text: string, style: string): string {
  const eol = commonEnding(style.trimEnd());
  if (eol === undefined) return text;
  const {unit, width} = indentOf(style) ?? {unit: ' ', width: 2};
  const options = {insertSpaces: unit === ' ', tabSize: width, eol, insertFinalNewline: /[\r\n]$/.test(style)};
  if (format(style, undefined, options).length === 0) return applyEdits(text, format(text, undefined, options));
  const edits = format(text, undefined, {...options, keepLines: true});
  const atLineBreaks = edits.filter(({offset, length}) => offset === 0 || /[\r\n]/.test(text.slice(offset - 1, offset + length)));
  return applyEdits(text, atLineBreaks);
}
