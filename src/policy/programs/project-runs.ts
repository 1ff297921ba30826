import {isNamed} from './program-facts.ts';
import {textAt, type ShellWord} from '../shell/shell-word.ts';
import {wordList} from '../word-list.ts';

/**
 * Returns the index of the program that `uv run`, `bundle exec` … start in the environment of the project: `pytest` of `uv run --frozen pytest
 * -q`. A rule `uv *` means the tools of the project; another program (`uv run bash`), one that is fetched first (`--with`), or one by its path
 * has to be named exactly. undefined: another command.
 */
export function projectRunAt(words: readonly ShellWord[]): number | undefined {
  const runner = textAt(words, 0);
  const form = Object.hasOwn(RUNNERS, runner) ? RUNNERS[runner] : undefined;
  if (form === undefined || textAt(words, 1) !== form.subcommand) return undefined;
  let at = 2;
  while (isNamed(form.flags, textAt(words, at))) at += 1;
  return TOOLS.has(textAt(words, at)) ? at : undefined;
}

interface RunnerForm {
  readonly subcommand: string;
  /** Options that change neither what runs nor where it comes from; with blanks between them. */
  readonly flags: string;
}

const RUNNERS: Readonly<Record<string, RunnerForm>> = {
  uv: {subcommand: 'run', flags: '--frozen --locked --no-sync --offline --quiet -q --all-extras --all-groups --dev --no-dev --'},
  poetry: {subcommand: 'run', flags: '--'},
  pdm: {subcommand: 'run', flags: '--'},
  hatch: {subcommand: 'run', flags: '--'},
  pipenv: {subcommand: 'run', flags: '--'},
  rye: {subcommand: 'run', flags: '--'},
  bundle: {subcommand: 'exec', flags: '--'},
  composer: {subcommand: 'exec', flags: '--'},
  pnpm: {subcommand: 'exec', flags: '--'},
};

const TOOLS: ReadonlySet<string> = new Set(
  wordList(`
  python python3 pytest ruff mypy black isort flake8 pylint pyright coverage bandit sphinx-build mkdocs
  rake rspec rubocop cucumber brakeman phpunit phpstan psalm pest phpcs
  jest vitest mocha eslint prettier tsc stylelint
`),
);
