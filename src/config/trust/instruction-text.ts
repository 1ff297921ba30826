/** A line of an instruction file as a model gets it. */
export interface InstructionLine {
  readonly text: string;
  /** Imported paths: the text after each `@`, as written. */
  readonly imports: readonly string[];
}

/** The names that other agents give to the file of a folder, strong to weak; one of them counts (AGENTS.md convention). */
export const INSTRUCTION_NAMES: readonly string[] = ['AGENTS.override.md', 'AGENTS.md'];

/** An import of an import of … (VT Code › instruction_import_max_depth). */
export const DEEPEST_IMPORT = 5;

/**
 * The lines of an instruction file, without HTML comments: those are notes of people for people, and are invisible when the file is rendered
 * (CommonMark 0.31.2 › HTML blocks). `@path` imports a file if it begins a word; in code, fenced or between backticks, it is only text.
 */
export function instructionLines(text: string): InstructionLine[] {
  const all = linesOf(text);
  const {lines} = all;
  const out: InstructionLine[] = [];
  let fence: string | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined || mark !== undefined) {
      fence = fence === undefined ? mark : closes(line, fence) ? undefined : fence;
      out.push({text: line, imports: []});
      continue;
    }
    const cut = withoutComments(all, at);
    at = cut.last;
    // A line with only a comment is dropped.
    if (cut.text === line || cut.text.trim() !== '') out.push({text: cut.text, imports: importsIn(cut.text)});
  }
  return out;
}

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;

function closes(line: string, fence: string): boolean {
  const mark = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return mark !== undefined && mark.startsWith(fence);
}

interface CutLine {
  readonly text: string;
  /** The last line that it took. */
  readonly last: number;
}

/** A line with its comments taken out; one that begins in it may end in a later line. */
function withoutComments({lines, closing}: Lines, first: number): CutLine {
  let text = '';
  let last = first;
  let line = lines[first] ?? '';
  let shown = withoutCode(line);
  let at = 0;
  for (;;) {
    const start = shown.indexOf(OPEN, at);
    if (start < 0) return {text: text + line.slice(at), last};
    const end = line.indexOf(CLOSE, start + OPEN.length);
    if (end >= 0) {
      text += line.slice(at, start);
      at = end + CLOSE.length;
      continue;
    }
    const later = closing[last + 1];
    if (later === undefined && `${text}${line.slice(at, start)}`.trim() !== '') return {text: text + line.slice(at), last};
    text += line.slice(at, start);
    // A block that is not closed goes on to the end of the text.
    if (later === undefined) return {text, last: lines.length};
    last = later;
    line = (lines[last] ?? '').slice((lines[last] ?? '').indexOf(CLOSE) + CLOSE.length);
    shown = withoutCode(line);
    at = 0;
  }
}

const OPEN = '<!--';
const CLOSE = '-->';

interface Lines {
  readonly lines: readonly string[];
  /** For each line, the first one at or after it in which a comment may end. */
  readonly closing: readonly (number | undefined)[];
}

function linesOf(text: string): Lines {
  const lines = text.replaceAll(/\r\n?/g, '\n').split('\n');
  const closing: (number | undefined)[] = [];
  for (let at = lines.length - 1; at >= 0; at -= 1) closing[at] = lines[at]?.includes(CLOSE) === true ? at : closing[at + 1];
  return {lines, closing};
}

function importsIn(line: string): string[] {
  if (!line.includes('@')) return [];
  return [...withoutCode(line).matchAll(IMPORT)]
    .map(([, path = '']) => path.replace(/[.,;:!?]{1,9}$/, ''))
    .filter((path) => /[./]/.test(path) && path.length <= LONGEST);
}

const IMPORT = /(?:^|[\s(])@([^\s`'"<>()[\]{}|@\\]+)/g;
const LONGEST = 300;

/** Replaces code between backticks by blanks: the rest keeps its position (CommonMark 0.31.2 › Code spans: as many of them end it as began it). */
function withoutCode(line: string): string {
  if (!line.includes('`')) return line;
  const marks = [...line.matchAll(/`+/g)].map(({0: mark, index}) => ({length: mark.length, index, end: index + mark.length}));
  // For each mark the next of its length, found from the end.
  const next = new Map<number, number>();
  const partner: (number | undefined)[] = [];
  for (let at = marks.length - 1; at >= 0; at -= 1) {
    const {length = 0} = marks[at] ?? {};
    partner[at] = next.get(length);
    next.set(length, at);
  }
  let out = '';
  let from = 0;
  for (let at = 0; at < marks.length; at += 1) {
    const end = marks[partner[at] ?? -1]?.end;
    const start = marks[at]?.index ?? 0;
    if (end === undefined) continue;
    out += line.slice(from, start) + ' '.repeat(end - start);
    from = end;
    at = partner[at] ?? at;
  }
  return out + line.slice(from);
}
