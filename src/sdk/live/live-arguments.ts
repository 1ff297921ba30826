import {FUNCTION, TEXT, type Parameters, type Shape} from '../arguments/check-arguments.ts';

/** Blanks are keys, too. */
const KEYS: Shape = {must: 'a text that is not empty', fits: (value) => typeof value === 'string' && value !== ''};

/** The arguments of the functions of `thread.live`, by their names. */
export const LIVE_ARGUMENTS = {
  onChange: {listener: FUNCTION},
  watch: {id: TEXT, listener: FUNCTION},
  type: {id: TEXT, bytes: KEYS},
  end: {id: TEXT},
} as const satisfies Readonly<Record<string, Parameters>>;
