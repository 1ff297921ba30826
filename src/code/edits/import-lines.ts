/** `import … from 'module'` of TypeScript and JavaScript, where it stands in a text. */
export interface ImportLine {
  /** Offsets, the line break behind it included. */
  readonly start: number;
  readonly end: number;
  readonly isType: boolean;
  readonly module: string;
  /** What stands before the braces: a default, a namespace. */
  readonly outer: string;
  /** As they are written: `a`, `a as b`, `type c`. undefined where there are no braces. */
  readonly names: readonly string[] | undefined;
}

export interface NewImport {
  readonly module: string;
  readonly isType: boolean;
  /** As it is written in the braces, or `name` and `* as name` before them. */
  readonly name: string;
  readonly isOuter?: boolean;
}

const IMPORT =
  /^import\s+(?<type>type\s+(?!from\b))?(?<clause>[\w$\s,{}*]+?)\s*\bfrom\s*(?<quote>['"])(?<module>[^'"\n]+)\k<quote>[ \t]*;?[ \t]*(?:\r?\n|$)/gmu;

/** Every import that binds names. */
export function importLines(text: string): readonly ImportLine[] {
  return [...text.matchAll(IMPORT)].map(({index, 0: whole, groups}) => {
    const {type, clause = '', module = ''} = groups ?? {};
    const braces = /\{([^}]*)\}/.exec(clause);
    return {
      start: index,
      end: index + whole.length,
      isType: type !== undefined,
      module,
      outer: (braces === null ? clause : clause.replace(braces[0], '')).replaceAll(/^[\s,]+|[\s,]+$/g, ''),
      names: braces?.[1]?.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()])),
    };
  });
}

/** Whether this is what is written for a name: `a`, `type a`, `a as b`. */
export function importsName(written: string, original: string): boolean {
  return written.replace(/^type\s+/, '').split(/\s+as\s+/)[0] === original;
}

/** The text without a name that an import brings, or without the import, when that was all. */
export function withoutImport(text: string, {module, original}: {readonly module: string; readonly original: string}): string {
  const line = importLines(text).find((one) => one.module === module && one.names?.some((name) => importsName(name, original)) === true);
  if (line === undefined) return text;
  const names = line.names?.filter((name) => !importsName(name, original)) ?? [];
  return replaced(text, line, names.length === 0 && line.outer === '' ? '' : written({...line, names}, text));
}

/** The text with a name more: in the import that there is of that module, else in one of its own behind the others. */
export function withImport(text: string, {module, isType, name, isOuter = false}: NewImport): string {
  const lines = importLines(text);
  const known = lines.find((line) => line.module === module && line.isType === isType && line.names !== undefined);
  if (known?.names?.includes(name) === true) return text;
  if (known !== undefined && !isOuter) return replaced(text, known, written({...known, names: [...(known.names ?? []), name]}, text));
  const line = written({isType, module, outer: isOuter ? name : '', names: isOuter ? undefined : [name]}, text);
  return inserted(text, lines.at(-1)?.end, line);
}

/** Behind the other imports, or first of all; the line of an interpreter stays above. */
function inserted(text: string, place: number | undefined, line: string): string {
  const head = place === undefined ? (/^#![^\n]*\n/.exec(text)?.[0] ?? '') : text.slice(0, place);
  const rest = text.slice(head.length);
  if (place !== undefined) return `${head}${head.endsWith('\n') ? '' : '\n'}${line}${rest}`;
  return `${head}${line}${rest === '' || /^\s*\n/.test(rest) ? '' : '\n'}${rest}`;
}

function replaced(text: string, {start, end}: ImportLine, line: string): string {
  return text.slice(0, start) + line + text.slice(end);
}

/** In the quotes and with the ends of the imports around it. */
function written({isType, module, outer, names}: Omit<ImportLine, 'start' | 'end'>, text: string): string {
  const quote = /^import\b[^'"\n]*"/m.test(text) ? '"' : "'";
  const space = /^import\b[^\n]*\{ /m.test(text) ? ' ' : '';
  const end = /^import\b[^\n]*['"][ \t]*$/m.test(text) ? '' : ';';
  const braces = names === undefined ? [] : [`{${space}${names.join(', ')}${space}}`];
  const clause = [...(outer === '' ? [] : [outer]), ...(names?.length === 0 ? [] : braces)].join(', ');
  return `import ${isType ? 'type ' : ''}${clause} from ${quote}${module}${quote}${end}\n`;
}
