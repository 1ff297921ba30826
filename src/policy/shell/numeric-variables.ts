import type {Script, Statement} from 'unbash';

/**
 * Finds the variables of a line that hold a number whenever they are read, so that bash cannot run their value as code when it calculates: the
 * first place of the line that names one sets it to a number, whatever else happens, and no place gives it anything else.
 */
export function numericVariables({commands}: Script, source: string): ReadonlySet<string> {
  if (source.length > MAX_SOURCE || !/\(\(|-(?:eq|ne|l[te]|g[te])\b/.test(source)) return NONE;
  const names = commands.slice(0, MAX_STATEMENTS).flatMap((statement) => assignedName(statement, source));
  return new Set(names.filter((name) => holdsNumbers(name, source)));
}

const NONE: ReadonlySet<string> = new Set();
const MAX_SOURCE = 4096;
const MAX_STATEMENTS = 50;

/** The one variable that a statement of the line itself sets, in the foreground and under no condition. */
function assignedName({command, background, pos}: Statement, source: string): string[] {
  if (background === true || command.type !== 'Command' || command.name !== undefined || command.redirects.length > 0) return [];
  const [assignment, ...more] = command.prefix;
  if (more.length > 0 || assignment?.type !== 'Assignment' || !/^[a-z]\w*$/.test(assignment.name)) return [];
  // Named before: its value there is unknown.
  return source.search(new RegExp(`\\b${assignment.name}\\b`)) === pos ? [assignment.name] : [];
}

/** Digits, a count, or a plain calculation; without quotes inside that could hide more of the line. */
const NUMBER = String.raw`(?:\d+|"?\$\((?:[^()#;&\\\n\x60]*\|\s*)?(?:wc -[lwcm](?: *< *[\w./-]+)?|nproc|date \+%s)\s*\)"?|"?\$\(\([\w\s+*/%$<>=?:-]*\)\)"?)(?=[\s;)]|$)`;

function holdsNumbers(name: string, source: string): boolean {
  const rest = source
    .replaceAll(new RegExp(`\\b${name}=${NUMBER}`, 'g'), ' ')
    .replaceAll(/\(\([\w\s+*/%$<>=?:-]*\)\)/g, ' ')
    .replaceAll(new RegExp(`\\$(?:${name}\\b|\\{${name}\\})`, 'g'), ' ');
  return !new RegExp(`\\b${name}\\b`).test(rest);
}
