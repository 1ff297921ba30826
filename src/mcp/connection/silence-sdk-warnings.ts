import {visibleText} from '../../base/visible-text.ts';

/** Most warnings of the SDK in one process; a server decides how many there would be. */
const MAX_WARNINGS = 20;
const MAX_CHARS = 300;
const PREFIX = '[mcp-sdk] ';

/**
 * The SDK writes warnings with names that servers chose to `console.warn` as they are: escape sequences, line feeds, any number. From now on
 * its lines (and no others) are bounded and without power over a terminal. Returns the `console.warn` that does it; `warn` is the one below.
 */
export function silenced(warn: typeof console.warn): typeof console.warn {
  let left = MAX_WARNINGS;
  return (...said: unknown[]) => {
    const [first] = said;
    if (typeof first !== 'string' || !first.startsWith(PREFIX)) return warn(...said);
    if (left === 0) return;
    left -= 1;
    warn(visibleText(first.slice(0, MAX_CHARS).toWellFormed()).replaceAll('\n', String.raw`\n`));
  };
}

let isSilenced = false;

/** Runs once per process, and only if MCP is used. */
export function silenceSdkWarnings(): void {
  if (isSilenced) return;
  isSilenced = true;
  const {console: shared} = globalThis;
  shared.warn = silenced(shared.warn);
}
