import {PACKAGE_PROGRAMS} from './image-programs.table.ts';

/** The programs that a test script installs or fetches before it runs. */
export type Installs =
  | {readonly kind: 'nothing'}
  /** Programs that must be there instead: what the script installs, and then runs pytest by uvx, as tests of Harbor mostly do. */
  | {readonly kind: 'pytest'; readonly programs: readonly string[]}
  /** Without a container such a verification would fail for reasons that say nothing about the agent. */
  | {readonly kind: 'other'; readonly line: number; readonly text: string};

/**
 * Finds what a test script installs. It reads no shell: a command in a comment does not count, one in a text may. The usual steps of
 * Harbor's tests are known: packages of Debian, the installer of uv, and pytest run by `uvx`.
 */
export function installsOf(script: string): Installs {
  const programs = new Set<string>();
  let runsPytest = false;
  for (const {line, text} of logicalLines(script)) {
    for (const part of text.split('&&').map((one) => one.trim())) {
      if (!INSTALLS.test(part)) continue;
      const needs = knownStep(part);
      if (needs === undefined) return {kind: 'other', line, text: text.slice(0, 100)};
      for (const name of needs) programs.add(name);
      runsPytest ||= part.startsWith('uvx');
    }
  }
  if (runsPytest) return {kind: 'pytest', programs: [...programs]};
  const [first] = logicalLines(script).filter(({text}) => INSTALLS.test(text));
  return first === undefined ? {kind: 'nothing'} : {kind: 'other', line: first.line, text: first.text.slice(0, 100)};
}

const INSTALLS =
  /(?:^|[\s;&|(])(?:(?:apt|apt-get|apk|yum|dnf|brew|conda|gem|cargo|go|pip3?|pipx|uv|npm|pnpm|yarn)\s+(?:\S+\s+){0,3}?(?:install|add|update|ci|sync)\b|(?:curl|wget|uvx|npx)\s|git\s+clone\b|uv\s+(?:pip|run|tool)\b)/;

/** Returns the programs that must be there instead of a usual step; undefined for any other. */
function knownStep(part: string): readonly string[] | undefined {
  if (/^apt-get\s+(?:-\S+\s+)*update(?:\s+-\S+)*$/.test(part)) return [];
  const packages = /^apt-get\s+(?:-\S+\s+)*install((?:\s+[\w.+=:~-]+)+)$/.exec(part)?.[1]?.trim().split(/\s+/);
  if (packages !== undefined)
    return packages.filter((name) => !name.startsWith('-')).flatMap((name) => PACKAGE_PROGRAMS.get(name) ?? [name]);
  if (/^curl\s[^|;]*\bastral\.sh\/uv\b[^|;]*\|\s*(?:ba)?sh$/.test(part)) return [];
  const packagesOfPytest = /^uvx((?:\s+(?:--with|-w|-p|--python)[\s=]\S+)*)\s+pytest\s/.exec(part)?.[1];
  if (packagesOfPytest === undefined) return undefined;
  const other = [...packagesOfPytest.matchAll(/(?:--with|-w)[\s=]([\w.-]+)/g)].find(
    ([, name]) => !/^pytest(?:-json-ctrf)?$/.test(name ?? ''),
  );
  return other === undefined ? ['python3', 'pytest'] : undefined;
}

interface LogicalLine {
  /** 1-based, where it begins. */
  readonly line: number;
  readonly text: string;
}

/** Lines without comments; those that end with a backslash are joined. */
function logicalLines(script: string): readonly LogicalLine[] {
  const found: LogicalLine[] = [];
  let open: LogicalLine | undefined;
  for (const [index, source] of script.split('\n').entries()) {
    if (open === undefined && /^\s*#/.test(source)) continue;
    const text: string = `${open?.text ?? ''} ${source.replace(/\\\s*$/, '')}`.trim();
    const line: number = open?.line ?? index + 1;
    open = /\\\s*$/.test(source) ? {line, text} : undefined;
    if (open === undefined) found.push({line, text});
  }
  return open === undefined ? found : [...found, open];
}

/**
 * Shell line that runs such a test script with the pytest of this machine: what the script would install is there, and `uvx pytest`
 * is that pytest. Its report for Harbor (`--ctrf`) is left out, since that takes a package.
 */
export const WITH_LOCAL_PYTEST = [
  'mkdir -p "$HOME/.local/bin" && : > "$HOME/.local/bin/env"',
  'apt-get() { :; }; curl() { :; }',
  'uvx() { while [ $# -gt 0 ] && [ "$1" != pytest ]; do shift; done; shift; local a=(); while [ $# -gt 0 ]; do case $1 in --ctrf) shift ;; --ctrf=*) ;; *) a+=("$1") ;; esac; shift; done; python3 -m pytest -p no:cacheprovider "${a[@]}"; }',
  'export -f apt-get curl uvx',
  'bash /tests/test.sh',
].join('; ');
