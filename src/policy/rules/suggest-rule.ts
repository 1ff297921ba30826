import {isInterpreter, programFacts} from '../programs/known-programs.ts';
import type {ShellCommand} from '../shell/shell-parts.ts';
import {wordList} from '../word-list.ts';
import {OPAQUE_WRAPPERS, SHELLS, WRAPPERS} from '../programs/wrappers.ts';
import {programName} from '../shell/shell-word.ts';

/**
 * The rule to offer for a command: `git log *` for programs whose subcommands are known, else the command itself.
 * Never one that allows anything at all (`bash *`, `python *`, `env *`, `npx *`); undefined if no rule says it.
 */
export function suggestRule({words}: ShellCommand, tool: string): string | undefined {
  const values = words.map((word) => word.value);
  const name = programName(words);
  const exact = exactRule(words, tool);
  if (runsAnything(name) || name !== values[0]) return exact;
  const count = SUBCOMMAND_WORDS.get(`${name} ${values[1] ?? ''}`) ?? SUBCOMMAND_WORDS.get(name);
  if (count === undefined) return exact;
  const head = values.slice(0, count);
  const known =
    head.length === count &&
    head.every((value) => value !== undefined && /^[\w./:@-]+$/.test(value)) &&
    !head.slice(1).some((value) => value?.startsWith('-'));
  return known ? `${tool}:${head.join(' ')} *` : exact;
}

/** Returns the rule for this command and no other; undefined if no rule says it. */
export function exactRule(words: ShellCommand['words'], tool: string): string | undefined {
  const isPlain = words.every(({value, glob}) => value !== undefined && !glob && /^[^\s*\p{C}]+$/u.test(value));
  return isPlain ? `${tool}:${words.map(({value}) => value).join(' ')}` : undefined;
}

function runsAnything(name: string): boolean {
  return (
    SHELLS.has(name) ||
    OPAQUE_WRAPPERS.has(name) ||
    Object.hasOwn(WRAPPERS, name) ||
    isInterpreter(name) ||
    programFacts(name)?.always !== undefined
  );
}

/**
 * The number of words that identify the action of a program (vibe tool system › arity of bash permissions).
 * Programs not named here are not generalised.
 */
const SUBCOMMAND_WORDS: ReadonlyMap<string, number> = new Map([
  ...arity(
    1,
    `cat ls head tail wc grep egrep fgrep rg cut tr sort uniq diff stat file du tree find echo printf which basename dirname date jq nl tac
    rev mkdir touch tsc eslint prettier oxlint vitest jest pytest mypy ruff black gofmt rustfmt shellcheck biome`,
  ),
  ...arity(
    2,
    `git cargo npm pnpm yarn go docker podman make just pip pip3 poetry uv gradle mvn dotnet bundle composer mix swift terraform systemctl
    brew rustup turbo nx bazel helm flutter dart`,
  ),
  ...arity(3, 'gh aws kubectl gcloud az'),
  ...['npm run', 'pnpm run', 'yarn run', 'docker compose', 'git remote', 'git stash', 'git config', 'git worktree', 'uv pip', 'go mod'].map(
    (program) => [program, 3] as const,
  ),
]);

function arity(words: number, programs: string): (readonly [string, number])[] {
  return wordList(programs).map((program) => [program, words]);
}
