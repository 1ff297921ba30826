import type {JsonObject} from '../base/json.ts';

/** The place where a value was written. */
export interface Origin {
  readonly source: 'default' | 'user' | 'project' | 'env' | 'flag';
  /** The absolute path of the file, the variable, the flag; `default` for a default. */
  readonly name: string;
  /** 1-based; only in files. */
  readonly line?: number | undefined;
}

export type ConfigPath = readonly (string | number)[];

/** Settings from one source, and the position of each in it. */
export interface Source {
  readonly value: JsonObject;
  readonly originOf: (path: ConfigPath) => Origin;
}

/** `FILE:LINE`, the variable or the flag: as shown in messages and as the source of a rule. */
export function originText({name, line}: Origin): string {
  return line === undefined ? name : `${name}:${line}`;
}

/** `limits.max_turns`, `custom_providers[0].name`; a key that TOML would quote is quoted. */
export function keyPathText(path: ConfigPath): string {
  return path.map(partText).join('');
}

function partText(part: string | number, index: number): string {
  if (typeof part === 'number') return `[${part}]`;
  const key = /^[A-Za-z0-9_-]+$/.test(part) ? part : JSON.stringify(part);
  return index === 0 ? key : `.${key}`;
}
