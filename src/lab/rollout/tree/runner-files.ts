/**
 * True for a file that test runners, interpreters or package managers load by themselves: with it, an agent could decide what the verification
 * does. Files that are also ordinary work (`package.json`, `pyproject.toml`, `Makefile`) are not among them, see `runner-settings.ts`.
 * @param path - relative to the tree
 */
export function isRunnerFile(path: string): boolean {
  return RUNNER_FILE.test(`/${path}`);
}

const RUNNER_FILE = new RegExp(
  `/(?:${[
    // Python
    'conftest\\.py|\\.?pytest\\.(?:ini|toml)|tox\\.ini|(?:site|user)customize\\.py|[^/]+\\.pth|[^/]+\\.(?:egg|dist)-info/entry_points\\.txt',
    // A module of the same name in the working folder comes first.
    '(?:unittest|_?pytest|doctest|coverage)(?:\\.py|/.+)',
    // JavaScript
    '(?:jest|vitest|vite|babel|karma|ava|playwright|cypress|wdio|nyc|rstest|web-test-runner)\\.(?:config|workspace|conf)\\.[^/]+|\\.(?:mocharc|babelrc|nycrc|taprc|swcrc)[^/]*',
    'spec/support/jasmine\\.[^/]+|\\.npmrc|\\.yarnrc[^/]*|\\.pnpmfile\\.c?js|bunfig\\.toml|node_modules/\\.bin/[^/]+',
    // others
    '\\.cargo/config(?:\\.toml)?|rust-toolchain(?:\\.toml)?|\\.config/nextest\\.toml|phpunit\\.xml[^/]*|\\.rspec(?:-local)?|go\\.work',
    'minitest/[^/]+_plugin\\.rb|\\.mvn/[^/]+|junit-platform\\.properties|CTestCustom\\.(?:cmake|ctest)',
    '\\.?mise\\.toml|\\.tool-versions|\\.python-version|\\.envrc',
  ].join('|')})$`,
);

/**
 * True for a module in the working folder that comes before one of the same name that Python's test runners load: `argparse.py`, `pluggy/__init__.py`.
 * With `python3 -m pytest` or `-m unittest` the working folder is the first that Python looks into (Python › The initialization of the sys.path module search path).
 * @param path - relative to the working folder
 */
export function shadowsRunner(path: string): boolean {
  return SHADOW.test(path);
}

/** Modules that pytest and unittest load after their start; `test`, for example, is not among them. */
const MODULES = `
  argparse ast asyncio base64 bdb cProfile calendar cmd code codeop concurrent contextvars copy csv ctypes dataclasses datetime decimal difflib dis
  email faulthandler fractions gettext glob gzip hashlib heapq html http importlib inspect json linecache locale logging netrc numbers opcode pdb
  pickle pkgutil platform pprint profile pstats queue quopri random readline runpy select selectors shlex shutil signal socket ssl statistics string
  struct subprocess sysconfig tempfile textwrap threading timeit token tokenize tomllib traceback tracemalloc typing unicodedata urllib uuid
  warnings weakref xml zipfile zoneinfo
  attr colorama exceptiongroup hypothesis iniconfig packaging pluggy py pygments tomli typing_extensions`;

const SHADOW = new RegExp(`^(?:${MODULES.trim().split(/\s+/).join('|')})(?:\\.py|\\.pyc|\\.[^/]*so|/__init__\\.pyc?)$`);
