import {
  array,
  boolean,
  discriminatedUnion,
  enum as oneOf,
  int,
  literal,
  nullable,
  number,
  object,
  optional,
  record,
  strictObject,
  string,
  tuple,
  union,
  unknown,
} from 'zod';

/**
 * The parts of zod that authors need, in its usual form: `z.string().describe('…').optional()`. A list, not the
 * whole package: exporting the package would put its languages and formats into the bundle of every command (330
 * KB, measured).
 */
export const z = {
  array,
  boolean,
  discriminatedUnion,
  enum: oneOf,
  int,
  literal,
  nullable,
  number,
  object,
  optional,
  record,
  strictObject,
  string,
  tuple,
  union,
  unknown,
} as const;
