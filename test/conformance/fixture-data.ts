import type {ElicitRequestFormParams} from '@modelcontextprotocol/server';

/** One red pixel, and a sound of no length. */
export const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
export const SOUND = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

/** The texts that the suite compares. */
export const TEXTS = {
  simple: 'This is a simple text response for testing.',
  embedded: 'This is an embedded resource content.',
  error: 'This tool intentionally returns an error for testing',
  resource: 'This is the content of the static text resource.',
  prompt: 'This is a simple prompt for testing.',
};

type Fields = ElicitRequestFormParams['requestedSchema']['properties'];

export const FIELDS_WITH_DEFAULTS: Fields = {
  name: {type: 'string', default: 'John Doe'},
  age: {type: 'integer', default: 30},
  score: {type: 'number', default: 95.5},
  status: {type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active'},
  verified: {type: 'boolean', default: true},
};

const titled = ['value1', 'value2', 'value3'].map((value, index) => ({const: value, title: `Option ${index + 1}`}));
const plain = ['option1', 'option2', 'option3'];

export const ENUM_FIELDS: Fields = {
  untitledSingle: {type: 'string', enum: plain},
  titledSingle: {type: 'string', oneOf: titled},
  legacyEnum: {type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option One', 'Option Two', 'Option Three']},
  untitledMulti: {type: 'array', minItems: 1, maxItems: 3, items: {type: 'string', enum: plain}},
  titledMulti: {type: 'array', minItems: 1, maxItems: 3, items: {anyOf: titled}},
};

export const JSON_SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {address: {type: 'object', properties: {street: {type: 'string'}, city: {type: 'string'}}}},
  properties: {name: {type: 'string'}, address: {$ref: '#/$defs/address'}},
  additionalProperties: false,
};
