import {applyEdits, format, parse, parseTree, printParseErrorCode, type Node, type ParseError} from 'jsonc-parser';
import {commonEnding, indentOf} from './data-style.ts';
import {lineNumbers} from '../edit/not-unique-error.ts';
import {toEnding} from '../line-endings.ts';
import type {DataFormat} from './data-format.ts';

/** JSON, and JSON with comments: `.jsonc`, files known to have comments, and every file that already has some. */
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

/** Only blanks between the tokens change. Lists and objects of one line stay so where the file has such, and a file of one line does. */
function reformatted(text: string, style: string): string {
  const eol = commonEnding(style.trimEnd()) ?? (style.trim() === '' ? '\n' : undefined);
  if (eol === undefined) return text;
  const {unit, width} = indentOf(style) ?? {unit: ' ', width: 2};
  const options = {insertSpaces: unit === ' ', tabSize: width, eol, insertFinalNewline: /[\r\n]$/.test(style)};
  const edits = format(text, undefined, options);
  if (style.trim() === '' || format(style, undefined, options).length === 0) return applyEdits(text, edits);
  const kept = shortContainers(parseTree(text, [], {allowTrailingComma: true}), text);
  const isWithin = (at: number): boolean => kept.some(({offset, length}) => at > offset && at < offset + length);
  return applyEdits(
    text,
    edits.filter(({offset}) => !isWithin(offset)),
  );
}

/** The outermost lists and objects on one line. */
function shortContainers(node: Node | undefined, text: string): readonly Node[] {
  if (node === undefined) return [];
  const isContainer = node.type === 'array' || node.type === 'object';
  if (isContainer && !/[\r\n]/.test(text.slice(node.offset, node.offset + node.length))) return [node];
  return (node.children ?? []).flatMap((child) => shortContainers(child, text));
}
