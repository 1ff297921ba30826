/**
 * True in `npm run soak`, which runs the files of vitest.config.ts › THOROUGH with all their random cases. `npm test` has a part of them, with
 * other cases after each change of the sources.
 */
export const IS_THOROUGH = process.env['FETTLE_THOROUGH'] === '1';

/** Returns how many cases a property gets whose cases cost files or processes: all of them, or a fifth. */
export function casesOf(all: number): number {
  return IS_THOROUGH ? all : Math.ceil(all / 5);
}
