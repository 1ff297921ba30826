import {isDeepStrictEqual} from 'node:util';
import {stringify} from 'smol-toml';
import {FettleError} from '../base/errors.ts';
import {isJsonObject, type Json, type JsonObject} from '../base/json.ts';
import {parseToml} from './parse-toml.ts';

/** A configuration file that is edited as text: its comments and everything else stay byte for byte. */
export interface ConfigText {
  readonly path: string;
  readonly text: string;
}

/** Returns the text with a server added at its end. Throws CONFIG for a broken text, or if the name is taken. */
export function withServer({path, text}: ConfigText, server: JsonObject & {readonly name: string}): string {
  const before = valueOf({path, text});
  const servers = serversIn(before);
  const {name} = server;
  if (servers.some((one) => nameOf(one) === name)) {
    const hint = `Remove it first: fettle mcp remove ${name}`;
    throw new FettleError({code: 'CONFIG', message: `${path} has a server ${name} already.`, hint});
  }
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const block = stringify({mcp_servers: [server]})
    .trim()
    .replaceAll('\n', end);
  const gap = text === '' ? '' : text.endsWith('\n') ? end : end + end;
  const edited = `${text}${gap}${block}${end}`;
  return checked({path, text: edited}, {...before, mcp_servers: [...servers, server]});
}

/** Returns the text without that server; undefined if it has none. Throws CONFIG if it cannot be taken out without touching something else. */
export function withoutServer({path, text}: ConfigText, name: string): string | undefined {
  const before = valueOf({path, text});
  const servers = serversIn(before);
  const index = servers.findIndex((one) => nameOf(one) === name);
  if (index < 0) return undefined;
  const rest = servers.filter((_, at) => at !== index);
  const {mcp_servers: _, ...others} = before;
  const expected = rest.length === 0 ? others : {...others, mcp_servers: rest};
  const lines = text.split(/(?<=\n)/);
  const start = lineOf({path, text}, index) - 1;
  if (!/^\s*\[\[/.test(lines[start] ?? '')) throw byHand(path);
  for (const end of possibleEnds(lines, start)) {
    const from = start > 0 && isBlank(lines[start - 1]) && isBlank(lines[end]) ? start - 1 : start;
    const edited = [...lines.slice(0, from), ...lines.slice(end)].join('');
    const parsed = parseToml(Buffer.from(edited));
    if (parsed.ok && isDeepStrictEqual(plain(parsed.value), plain(expected))) return edited;
  }
  throw byHand(path);
}

/**
 * Yields the offsets at which the table of a server may end: before each line that looks like a table header, with and without the comments and
 * blank lines above it, and at the end of the text. The parser decides which one is right.
 */
function* possibleEnds(lines: readonly string[], start: number): Generator<number> {
  for (let end = start + 1; end <= lines.length; end++) {
    if (end < lines.length && !/^\s*\[/.test(lines[end] ?? '')) continue;
    let last = end;
    while (last > start + 1 && /^\s*(?:#.*)?\s*$/.test(lines[last - 1] ?? '')) last -= 1;
    yield last;
    if (last !== end) yield end;
  }
}

/** Includes the place beyond the end. */
function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}

function checked({path, text}: ConfigText, expected: JsonObject): string {
  const parsed = parseToml(Buffer.from(text));
  if (!parsed.ok || !isDeepStrictEqual(plain(parsed.value), plain(expected))) throw byHand(path);
  return text;
}

/** The same for values of the parser, which have no prototype, and ours. */
function plain(value: Json): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

function valueOf({path, text}: ConfigText): JsonObject {
  const parsed = parseToml(Buffer.from(text));
  if (parsed.ok) return parsed.value;
  throw new FettleError({code: 'CONFIG', message: `${path}:${parsed.line}: ${parsed.message}`, hint: 'Fix it first.'});
}

function lineOf({text}: ConfigText, index: number): number {
  const parsed = parseToml(Buffer.from(text));
  return parsed.ok ? parsed.lineOf(['mcp_servers', index]) : 1;
}

function serversIn(value: JsonObject): readonly Json[] {
  const servers = value['mcp_servers'];
  return Array.isArray(servers) ? servers : [];
}

function nameOf(server: Json): Json | undefined {
  return isJsonObject(server) ? server['name'] : undefined;
}

function byHand(path: string): FettleError {
  const message = `The servers in ${path} are not written as [[mcp_servers]] tables that follow each other, so it is left as it is.`;
  return new FettleError({code: 'CONFIG', message, hint: 'Edit the file by hand.'});
}
