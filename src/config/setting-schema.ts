import {MAX_TIMER_MS} from '../base/timer.ts';

/**
 * The part of JSON Schema that settings need. Kept as plain data with a checker of its own (`check-value.ts`): a schema library costs
 * 4 to 7 ms of each start, this less than one, and it is what `fettle config schema` prints.
 */
export interface SettingSchema {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  readonly description: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  /** The meaning of the pattern in words; editors show it too. */
  readonly patternErrorMessage?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly items?: SettingSchema;
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: SettingSchema;
  /** True if the content is validated elsewhere. */
  readonly additionalProperties?: boolean | SettingSchema;
}

export const MAX_SECONDS = Math.floor(MAX_TIMER_MS / 1000);

type Described<Kind> = Omit<SettingSchema, 'type' | 'description'> & {readonly type: Kind};

export const table = (
  description: string,
  properties: Readonly<Record<string, SettingSchema>>,
  required: readonly string[] = [],
): SettingSchema => ({type: 'object', description, properties, required, additionalProperties: false});
export const byName = (description: string, names: SettingSchema, values: SettingSchema): SettingSchema => ({
  type: 'object',
  description,
  propertyNames: names,
  additionalProperties: values,
});
export const list = (description: string, items: SettingSchema): SettingSchema => ({type: 'array', description, items});
export const oneOf = (description: string, values: readonly string[]): SettingSchema => ({type: 'string', description, enum: values});
export const wholeFrom = (minimum: number, description: string): SettingSchema => ({type: 'integer', description, minimum});
export const flag = (description: string): SettingSchema => ({type: 'boolean', description});
export const positive = (description: string): SettingSchema => ({type: 'number', description, exclusiveMinimum: 0});
export const share = (description: string, minimum = 0): SettingSchema => ({type: 'number', description, minimum, maximum: 1});
/** Something waits so long: no longer than a timer can. */
export const seconds = (description: string): SettingSchema => ({...positive(description), maximum: MAX_SECONDS});

export const TEXT: Described<'string'> = {type: 'string', pattern: String.raw`\S`, patternErrorMessage: 'must be text'};
export const NAME: Described<'string'> = {
  type: 'string',
  pattern: '^[a-z][a-z0-9_-]*$',
  patternErrorMessage: 'must be a name of lower case letters, digits, "-" and "_"',
};
export const MODEL: Described<'string'> = {
  type: 'string',
  pattern: String.raw`^(?:(?:script|replay):.+|[^\s/]+/\S+)$`,
  patternErrorMessage: 'must be `provider/model`, `script:FILE` or `replay:FILE`',
};
export const ADDRESS: Described<'string'> = {
  type: 'string',
  pattern: String.raw`^https?://[^\s/]+\S*$`,
  patternErrorMessage: 'must be an http:// or https:// address',
};
export const VARIABLE: Described<'string'> = {
  type: 'string',
  pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
  patternErrorMessage: 'must be the name of an environment variable, never a key',
};
export const RULE: SettingSchema = {
  type: 'string',
  description: 'A rule.',
  pattern: String.raw`^(?:re:[^:]+|(?!re:)[\w*./-]+)(?::[^]*\S[^]*)?$`,
  patternErrorMessage: 'must be a rule `tool:pattern` or `tool`',
};
export const HOST_OR_DOMAIN: SettingSchema = {
  type: 'string',
  description: 'A host.',
  pattern: String.raw`^(?:\*|(?:\*\.[A-Za-z0-9_-]+\.)?[A-Za-z0-9_\[:](?:[A-Za-z0-9_.:-]*[A-Za-z0-9_\]])?)$`,
  patternErrorMessage: 'must be the name or the address of a host, or such as "*.example.com", without scheme, port and path',
};
export const HEADER: Described<'string'> = {
  type: 'string',
  pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
  patternErrorMessage: 'must be the name of an HTTP header',
};
