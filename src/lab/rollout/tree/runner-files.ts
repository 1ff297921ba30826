/**
 * True for a file that test runners, interpreters or package managers load by themselves: with it, an agent could decide what the verification
 * does. Files that are also ordinary work (`package.json`, `pyproject.toml`, `Makefile`) are not among them.
 * @param path - relative to the tree
 */
export function isRunnerFile(path: string): boolean {
  return RUNNER_FILE.test(`/${path}`);
}

const RUNNER_FILE = new RegExp(
  `/(?:${[
    // Python
    'conftest\\.py|\\.?pytest\\.ini|tox\\.ini|(?:site|user)customize\\.py|[^/]+\\.pth',
    // A module of the same name in the working folder comes first.
    '(?:unittest|_?pytest|doctest|coverage)(?:\\.py|/.+)',
    // JavaScript
    '(?:jest|vitest|vite|babel|karma|ava|playwright|cypress|wdio|nyc)\\.(?:config|workspace|conf)\\.[^/]+|\\.(?:mocharc|babelrc|nycrc|taprc|swcrc)[^/]*',
    '\\.npmrc|\\.yarnrc[^/]*|\\.pnpmfile\\.c?js|bunfig\\.toml|node_modules/\\.bin/[^/]+',
    // others
    '\\.cargo/config(?:\\.toml)?|rust-toolchain(?:\\.toml)?|phpunit\\.xml[^/]*|\\.rspec|go\\.work',
    '\\.mise\\.toml|\\.tool-versions|\\.python-version|\\.envrc',
  ].join('|')})$`,
);
