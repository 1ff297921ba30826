import {isJsonObject} from './json.ts';
import {createScanner, replaceFound, type Finder, type Found} from './secret-scanner.ts';
import {SECRET_SHAPES, type SecretShape} from './secret-shapes.ts';
import {SECRET_USES} from './secret-uses.ts';
import {encodedForms} from './encoded-secrets.ts';

/** Replaces secrets in texts. It changes copies: files on disk, and texts written by edits, are never touched. */
export interface Redactor {
  text(text: string): string;
  /** The same for the name of a field: names come again and again, and those without a secret are known. */
  name(name: string): string;
  /** Every string in a structured value, names of fields too. A value without secrets is given back itself. */
  value(value: unknown): unknown;
  /** For a text that comes in pieces: holds back the end of a piece while a secret may go on in the next one. */
  stream(): RedactedStream;
}

export interface RedactedStream {
  push(piece: string): string;
  end(): string;
  /** Characters that were pushed and are held back. */
  readonly held: number;
}

export interface RedactorOptions {
  /** Known values; those of {@link rememberSecrets} count as well. */
  readonly secrets?: readonly string[] | undefined;
  /** Also redacts text with the shape of a well-known secret: for text that is stored or passed on, not for text that a model works with. */
  readonly shapes: boolean;
}

/** Shorter values occur in ordinary text by chance. */
const MIN_SECRET_CHARS = 6;

export const REDACTED = '[redacted]';

const remembered = new Set<string>();

/**
 * Values that this process must not write anywhere: keys from the environment, tokens from stores as they are read. They count for every redactor,
 * also for those made before.
 */
export function rememberSecrets(values: Iterable<string>): void {
  for (const value of values) if (value.length >= MIN_SECRET_CHARS) remembered.add(value);
}

/** For those who look for them in other ways than a redactor does. */
export function rememberedSecrets(): readonly string[] {
  return [...remembered];
}

/**
 * Known values are replaced in all their usual encodings (URL, JSON, HTML, base64 at any offset, hex); replaced shapes keep their kind. Linear
 * in the text, some milliseconds for each megabyte.
 */
export function createRedactor({secrets = [], shapes}: RedactorOptions): Redactor {
  let built: Search | undefined;
  let known = -1;
  const search = (): Search => {
    if (built !== undefined && known === remembered.size) return built;
    known = remembered.size;
    return (built = buildSearch([...secrets, ...remembered], shapes));
  };
  const text = (input: string): string => (input.length < MIN_SECRET_CHARS ? input : replaceFound(input, search().scan(input)));
  const name = (input: string): string => {
    const {cleanNames} = search();
    if (cleanNames.has(input)) return input;
    const clean = text(input);
    if (clean === input && input.length <= LONGEST_KNOWN_NAME && cleanNames.size < MOST_KNOWN_NAMES) cleanNames.add(input);
    return clean;
  };
  const value = (input: unknown): unknown => (search().isEmpty ? input : mapStrings(input, {text, name}, 0));
  return {text, name, value, stream: () => createStream(search, shapes)};
}

/** Characters. */
const LONGEST_KNOWN_NAME = 64;
const MOST_KNOWN_NAMES = 1000;

interface Search {
  readonly scan: (text: string) => readonly Found[];
  /** Names of fields that were looked at and have no secret. */
  readonly cleanNames: Set<string>;
  /** Nothing is looked for. */
  readonly isEmpty: boolean;
  /** Known values in all their encodings, by their first character. */
  readonly encodings: ReadonlyMap<string, readonly string[]>;
  /** Length of the longest one, in characters. */
  readonly longest: number;
}

function buildSearch(secrets: readonly string[], shapes: boolean): Search {
  // Longest first: one secret may contain another.
  const values = [...new Set(secrets.filter((secret) => secret.length >= MIN_SECRET_CHARS).flatMap(encodedForms))].sort(
    (a, b) => b.length - a.length,
  );
  return {
    scan: values.length === 0 && shapes ? shapesScanner() : createScanner([...values.map(valueFinder), ...(shapes ? shapesFinders() : [])]),
    cleanNames: new Set(),
    isEmpty: values.length === 0 && !shapes,
    encodings: Map.groupBy(values, (value) => value.charAt(0)),
    longest: values[0]?.length ?? 0,
  };
}

const ofShapes: {finders?: readonly Finder[]; scanner?: ReturnType<typeof createScanner>} = {};

/** The same for every redactor, made once. */
function shapesFinders(): readonly Finder[] {
  return (ofShapes.finders ??= [...SECRET_SHAPES, ...SECRET_USES].flatMap(shapeFinders));
}

function shapesScanner(): ReturnType<typeof createScanner> {
  return (ofShapes.scanner ??= createScanner(shapesFinders()));
}

function valueFinder(value: string): Finder {
  return {
    begins: value,
    find: (text, start) =>
      text.startsWith(value, start) ? {start, from: start, to: start + value.length, replacement: REDACTED} : undefined,
  };
}

function shapeFinders(shape: SecretShape): Finder[] {
  return shape.begins.map((begins) => ({begins, find: (text, start) => findShape(text, start, {shape, begins})}));
}

function findShape(text: string, start: number, {shape, begins}: {shape: SecretShape; begins: string}): Found | undefined {
  const {pattern, goesOn, accepts} = shape;
  if (!beginsWith(text, start, begins)) return undefined;
  if (shape.ownWord !== false && isInWord(text, start)) return undefined;
  pattern.lastIndex = start;
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const word = wordStart(text, start);
  if (accepts?.(match, () => text.slice(word, start)) === false) return undefined;
  const secret = match.findLast((group) => group !== undefined) ?? match[0];
  const from = start + match[0].lastIndexOf(secret);
  const to = goesOn === undefined ? from + secret.length : goesOn(text, from + secret.length);
  return to === undefined ? undefined : {start: word, from, to, replacement: `[redacted ${shape.kind}]`};
}

/** Small and capital letters are the same; nothing is copied. */
function beginsWith(text: string, start: number, begins: string): boolean {
  for (let at = 0; at < begins.length; at++) {
    const code = text.charCodeAt(start + at);
    if ((code >= 65 && code <= 90 ? code | 32 : code) !== begins.charCodeAt(at)) return false;
  }
  return true;
}

/** A key does not begin inside a word; in JSON text also behind an escaped newline, return or tab. */
function isInWord(text: string, start: number): boolean {
  if (start === 0 || !isWordCode(text.charCodeAt(start - 1))) return false;
  const isEscape = text.charAt(start - 2) === '\\' && text.charAt(start - 3) !== '\\';
  return !(isEscape && 'nrt'.includes(text.charAt(start - 1)));
}

const LONGEST_WORD = 64;

/** Returns the beginning of the part before a keyword in the same name: `DB_` of `DB_PASSWORD`. */
function wordStart(text: string, start: number): number {
  const floor = Math.max(0, start - LONGEST_WORD);
  let at = start;
  while (at > floor && isWordCode(text.charCodeAt(at - 1))) at--;
  return at;
}

/** Letters, digits, `_` and `-` of ASCII. */
function isWordCode(code: number): boolean {
  const small = code | 32;
  return (small >= 97 && small <= 122) || (code >= 48 && code <= 57) || code === 95 || code === 45;
}

const DEEPEST = 200;

function mapStrings(value: unknown, change: Pick<Redactor, 'text' | 'name'>, depth: number): unknown {
  if (typeof value === 'string') return change.text(value);
  if (depth > DEEPEST) return REDACTED;
  if (Array.isArray(value)) return mapItems(value, change, depth);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value);
  const changed = fields.map(([key, item]) => [change.name(key), mapStrings(item, change, depth + 1)] as const);
  const isSame = changed.every(([key, item], index) => key === fields[index]?.[0] && item === fields[index]?.[1]);
  return isSame ? value : Object.fromEntries(changed);
}

function mapItems(items: readonly unknown[], change: Pick<Redactor, 'text' | 'name'>, depth: number): readonly unknown[] {
  const changed = items.map((item) => mapStrings(item, change, depth + 1));
  return changed.every((item, index) => item === items[index]) ? items : changed;
}

/** Longer than a key or token of any kind but a private key. */
const LONGEST_TOKEN = 8192;
const LONGEST_KEY = 32_768;

function createStream(search: () => Search, shapes: boolean): RedactedStream {
  let held = '';
  let waiting: string[] = [];
  let arrived = 0;
  const take = (): string => {
    const whole = held + waiting.join('');
    held = '';
    waiting = [];
    arrived = 0;
    return whole;
  };
  return {
    push(piece) {
      waiting.push(piece);
      arrived += piece.length;
      // Held-back text is read again with what follows: seldom enough that the work stays linear, however small the pieces are.
      if (arrived * MOST_READINGS < held.length) return '';
      const whole = take();
      const {found, end} = readPiece(whole, search(), shapes);
      held = whole.slice(end);
      return replaceFound(
        whole.slice(0, end),
        found.filter(({to}) => to <= end),
      );
    },
    end() {
      const rest = take();
      return replaceFound(rest, search().scan(rest));
    },
    get held() {
      return held.length + arrived;
    },
  };
}

/** Held text is read again only once a 16th of its length has arrived, so that the work stays linear. */
const MOST_READINGS = 16;

/** Finds the secrets in a piece, and the end of the part that can be released. */
function readPiece(whole: string, {scan, encodings, longest}: Search, shapes: boolean): {found: readonly Found[]; end: number} {
  const found = scan(whole);
  const open = Math.min(openValue(whole, found, {encodings, longest}), shapes ? openShape(whole) : whole.length);
  // Never through the middle of a find, nor of a find that ends where the name of the next begins.
  const cutAt = (place: number): number => beforeEscape(whole, place);
  return {found, end: found.reduceRight((cut, {start, to}) => (start < cut && to > cut ? cutAt(start) : cut), cutAt(open))};
}

/** Moves a cut back over one or two backslashes before it: they may form an escape with the character that follows. */
function beforeEscape(text: string, at: number): number {
  if (text.charAt(at - 1) !== '\\') return at;
  return text.charAt(at - 2) === '\\' ? at - 2 : at - 1;
}

/** Returns the beginning of a known value at the end of a text; its length if there is none. Nothing begins within what was found. */
function openValue(text: string, found: readonly Found[], {encodings, longest}: Pick<Search, 'encodings' | 'longest'>): number {
  for (let start = Math.max(0, text.length - longest + 1); start < text.length; start++) {
    const begun = encodings.get(text.charAt(start))?.some((value) => isBeginning(text, start, value));
    if (begun === true && !found.some(({from, to}) => from < start && start < to)) return start;
  }
  return text.length;
}

/** The text from `start` on is the beginning of the value. */
function isBeginning(text: string, start: number, value: string): boolean {
  const length = text.length - start;
  return value.length > length && value.startsWith(text.slice(start));
}

/** Returns the beginning of an unfinished key, assignment, header or private key. */
function openShape(text: string): number {
  const word = lastWord(text, Math.max(0, text.length - LONGEST_TOKEN));
  const line = Math.max(0, word - LONGEST_NAME);
  const assigned = OPEN.exec(text.slice(line, word));
  const before = Math.max(0, word - LONGEST_LINE);
  const used = USED.exec(text.slice(before, word)) ?? QUOTED.exec(text.slice(before, word));
  const name = assigned === null ? word : line + assigned.index;
  const open = used === null ? name : Math.min(name, before + used.index);
  const begun = text.lastIndexOf('-----BEGIN ');
  const isOpen = begun !== -1 && text.length - begun < LONGEST_KEY && !/-----END [A-Z0-9 ]*-----/.test(text.slice(begun));
  return isOpen ? Math.min(open, begun) : open;
}

/** Returns the beginning of the last word, no earlier than `floor`. */
function lastWord(text: string, floor: number): number {
  let at = text.length;
  while (at > floor && !BLANK.test(text.charAt(at - 1))) at--;
  return at;
}

const BLANK = /\s/;
const LONGEST_NAME = 80;

const LONGEST_LINE = 800;

/** A line whose later words may be secrets: options of programs, connection strings. */
const USED = /\b(?:curl|mysql\w*|mariadb\w*|sshpass|login|user|username|uid)\b[^\n]*$/i;

/** A quoted value of a variable, which may hold blanks and ends of lines. */
const QUOTED = /(?:SECRET|PASS|TOKEN|KEY|_AUTH|PWD|CREDENTIAL)[A-Z0-9_]{0,32}=(?:"[^"]*|'[^']*)$/;

/** The beginning of an assignment or a header whose value is the last word. */
const OPEN =
  /[\w-]*(?:secret|pass|token|key|_auth|pwd|credential|authorization|bearer|cookie)[\w-]{0,32}["'\\]{0,3}\s{0,4}[:=,>]{0,2}\s{0,4}["'`\\]{0,3}(?:(?:bearer|basic|token|digest|apikey|bot)\s{0,4})?$/i;
