import {parse, TomlError} from 'smol-toml';
import type {JsonObject} from '../base/json.ts';
import type {ConfigPath} from './origin.ts';
import {tomlLines} from './toml-lines.ts';

export type ParsedToml =
  | {readonly ok: true; readonly value: JsonObject; readonly lineOf: (path: ConfigPath) => number}
  /** One line: what is wrong there. */
  | {readonly ok: false; readonly line: number; readonly message: string};

/** Bytes of a TOML file → its values and the lines where they stand. */
export function parseToml(bytes: Uint8Array): ParsedToml {
  let text: string;
  try {
    text = new TextDecoder('utf-8', {fatal: true}).decode(bytes);
  } catch {
    return {ok: false, line: invalidLine(bytes), message: 'not UTF-8, which TOML requires'};
  }
  try {
    // Dates are the one thing TOML has beyond JSON; no setting is one, so the schema refuses them.
    return {ok: true, value: parse(text) as JsonObject, lineOf: tomlLines(text)};
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [first = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    return {ok: false, line: error.line, message: `not valid TOML: ${first} (column ${error.column})`};
  }
}

/** The line of the first byte sequence that is not UTF-8. */
function invalidLine(bytes: Uint8Array): number {
  const [valid = ''] = new TextDecoder('utf-8').decode(bytes).split('\uFFFD');
  return valid.split('\n').length;
}
