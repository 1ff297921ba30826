import {wordList} from './word-list.ts';

/**
 * True for a variable that a line may set without changing what the commands behind it are.
 * Everything else may: PATH, PAGER, GIT_*, npm_config_*, LESSOPEN … (the list of what is harmful never ends, so this one names what is not).
 */
export function isSafeVariable(name: string, exported: boolean): boolean {
  if (SAFE.has(name) || /^LC_[A-Z]+$/.test(name)) return true;
  // A plain lower-case name is the line's own; as an environment variable it may be anybody's (npm_config_script_shell, http_proxy).
  return !exported && /^[a-z][a-z0-9_]*$/.test(name) && !/proxy$|^npm_|^fpath$|^path$|^cdpath$/.test(name);
}

const SAFE: ReadonlySet<string> = new Set(
  wordList(`
  NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM CI DEBUG VERBOSE LANG TZ COLUMNS LINES RUST_LOG RUST_BACKTRACE
  RUST_LIB_BACKTRACE RUST_TEST_THREADS CARGO_TERM_COLOR CARGO_INCREMENTAL NODE_ENV PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE GOOS
  GOARCH CGO_ENABLED GOMAXPROCS TEST_ENV LOG_LEVEL I J N F X Y
`),
);
