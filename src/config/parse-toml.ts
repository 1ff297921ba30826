import {parse, TomlError} from 'smol-toml';
import {isDeeperThan, type JsonObject} from '../base/json.ts';
import {MAX_CONFIG_BYTES, TOO_LARGE} from './config-file.ts';
import type {ConfigPath} from './origin.ts';
import {tomlLines} from './toml-lines.ts';

export type ParsedToml =
  | {readonly ok: true; readonly value: JsonObject; readonly lineOf: (path: ConfigPath) => number}
  /** One line: the error at this place. */
  | {readonly ok: false; readonly line: number; readonly message: string};

/**
 * Parses a TOML file into its values and their lines. The file is read before anybody trusts it and may be malicious: neither a large one nor
 * endless keys like `a.a.a…` take more than a moment.
 */
export function parseToml(bytes: Uint8Array): ParsedToml {
  if (bytes.length > MAX_CONFIG_BYTES) return {ok: false, line: 1, message: TOO_LARGE};
  let text: string;
  try {
    text = new TextDecoder('utf-8', {fatal: true}).decode(bytes);
  } catch {
    return {ok: false, line: invalidLine(bytes), message: 'not UTF-8, which TOML requires'};
  }
  try {
    // Dates are the one thing TOML has beyond JSON; no setting is one, so the schema refuses them.
    const value = parse(text) as JsonObject;
    if (isDeeperThan(value, MAX_DEPTH)) return {ok: false, line: 1, message: `nested more than ${MAX_DEPTH} levels deep`};
    return {ok: true, value, lineOf: tomlLines(text)};
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [first = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    return {ok: false, line: error.line, message: `not valid TOML: ${first} (column ${error.column})`};
  }
}

/** No setting is nested half as deep. */
const MAX_DEPTH = 20;

/** The line of the first byte sequence that is not UTF-8. */
function invalidLine(bytes: Uint8Array): number {
  const [valid = ''] = new TextDecoder('utf-8').decode(bytes).split('\uFFFD');
  return valid.split('\n').length;
}
