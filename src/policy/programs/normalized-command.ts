import {wordList} from '../word-list.ts';

/**
 * The operands of a command under the name that most people use: `npm i` is `npm install`, `docker container run` is `docker run`,
 * `chmod 0777` and `chmod a+rwx` are `chmod 777`. For rules that deny or ask, on both sides.
 */
export function commonOperands(program: string, operands: readonly string[]): readonly string[] {
  const [first = '', second = ''] = operands;
  if (program === 'chmod') return [commonMode(first), ...operands.slice(1)];
  if (CONTAINERS.has(program) && (first === 'container' || first === 'image') && second !== '')
    return [OBJECTS.get(`${first} ${second}`) ?? second, ...operands.slice(2)];
  const common = ALIASES.get(`${program} ${first}`);
  return common === undefined ? operands : [common, ...operands.slice(1)];
}

/** Options with more or less equivalent forms: a forced push can be written in many ways. Good enough to ask. */
export function impliedOptions(program: string, operands: readonly string[], options: readonly string[]): readonly string[] {
  const forced =
    operands.includes('push') && (options.some((option) => FORCE.test(option)) || operands.some((word) => word.startsWith('+')));
  return program === 'git' && forced ? ['-f', '--force'] : [];
}

/** `python3.11`, `pip3`: the name without the version. */
export function unversioned(program: string): string {
  return /^(python|pypy|pip|ruby|gem|perl|php|lua|node|gcc|g\+\+|clang|clang\+\+)-?[\d.]+$/.exec(program)?.[1] ?? program;
}

/** True for programs that take the beginning of a subcommand for the whole (`npm pub`). */
export function takesBeginnings(program: string): boolean {
  return program === 'npm' || program === 'ip';
}

const FORCE = /^--(?:force|mirror)/;

function commonMode(mode: string): string {
  if (/^0+[0-7]{3}$/.test(mode)) return mode.slice(-3);
  return /^(?:a|ugo|)[+=]rwx$/.test(mode) ? '777' : mode;
}

const CONTAINERS: ReadonlySet<string> = new Set(['docker', 'podman', 'nerdctl']);

const OBJECTS: ReadonlyMap<string, string> = new Map([
  ['image rm', 'rmi'],
  ['image remove', 'rmi'],
  ['container remove', 'rm'],
  ['image ls', 'images'],
  ['image list', 'images'],
  ['container ls', 'ps'],
  ['container list', 'ps'],
  ['container prune', 'container prune'],
  ['image prune', 'image prune'],
]);

const ALIASES: ReadonlyMap<string, string> = new Map(
  [
    ['npm', 'install', 'i in ins inst insta instal isnt isnta isntal isntall add'],
    ['npm', 'uninstall', 'un unlink remove rm r'],
    ['npm', 'exec', 'x'],
    ['npm', 'run', 'run-script rum urn'],
    ['npm', 'test', 't tst'],
    ['npm', 'config', 'c'],
    ['npm', 'link', 'ln'],
    ['npm', 'update', 'up upgrade udpate'],
    ['npm', 'ci', 'clean-install ic install-clean isntall-clean'],
    ['pnpm', 'install', 'i'],
    ['pnpm', 'remove', 'rm uninstall un'],
    ['pnpm', 'run', 'run-script'],
    ['cargo', 'build', 'b'],
    ['cargo', 'test', 't'],
    ['cargo', 'run', 'r'],
    ['cargo', 'check', 'c'],
    ['cargo', 'remove', 'rm'],
    ['git', 'add', 'stage'],
  ].flatMap(([program, common = '', others = '']) => wordList(others).map((other) => [`${program} ${other}`, common] as const)),
);
