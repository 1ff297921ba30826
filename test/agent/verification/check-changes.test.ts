import {describe, expect, it} from 'vitest';
import {checkChanges, type ChangedPath} from '../../../src/agent/verification/check-changes.ts';
import {checkFiles} from '../../../src/agent/verification/check-files.ts';

const PACKAGE = JSON.stringify({
  scripts: {
    pretest: 'node tools/prepare.mjs',
    test: 'npm run unit && ./scripts/check.sh',
    unit: 'vitest run --config ci/vitest.mjs',
    posttest: 'node tools/after',
    lint: 'eslint src checks/rules.js',
    loop: 'npm run loop',
    all: 'run-s lint unit:*',
    'unit:one': 'node one.mjs',
  },
});
const FILES: Readonly<Record<string, string>> = {
  'package.json': PACKAGE,
  'packages/a/package.json': JSON.stringify({scripts: {test: 'node verify.mjs'}}),
  'scripts/check.sh': '#!/bin/sh\nset -e\n. scripts/lib.sh\npython3 tools/verify.py --expect data/expected.txt\n',
  'scripts/lib.sh': 'run() { node lib/run.mjs; }\nrun\n',
  Makefile:
    'RUNNER = node tools/run.mjs\n.PHONY: test\nall: test\ntest: build golden.txt\n\t@$(RUNNER) cases/all.json\nbuild:\n\tcc -c main.c\n',
  'sub/Makefile': 'check:\n\tsh verify\n',
  'sub/verify': 'diff expected.txt actual.txt',
  justfile: 'suite := "suite/run.js"\ntest: build\n    node {{suite}}\nbuild:\n    echo ok\n',
  'composer.json': JSON.stringify({scripts: {test: ['php tools/a.php', 'php tools/b.php']}}),
};

function named(command: string, ...paths: readonly (string | ChangedPath)[]): readonly string[] {
  const changed = paths.map((path) => (typeof path === 'string' ? {path, change: 'changed' as const} : path));
  return checkChanges(
    changed,
    checkFiles(command, (path) => FILES[path]),
  ).map(({path, reason}) => `${path}: ${reason}`);
}

describe('design 1.4 › files that the run changed and that a check depends on are named', () => {
  it.each<[string, string, string]>([
    ['node check.mjs', 'check.mjs', 'named by `node check.mjs`'],
    ['./verify', 'verify', 'run by `./verify`'],
    ['sh verify', 'verify', 'named by `sh verify`'],
    ['node --import ./hook.mjs a.mjs', 'hook.mjs', 'named by `node --import ./hook.mjs a.mjs`'],
    ['node checks/run', 'checks/run.js', 'named by `node checks/run`'],
    ['tsc -p build/strict.json', 'build/strict.json', 'named by `tsc -p build/strict.json`'],
    ['mypy --config-file=ci/types.ini src', 'ci/types.ini', 'named by `mypy --config-file=ci/types.ini src`'],
    ['pytest checks/cases.py::Case::one', 'checks/cases.py', 'named by `pytest checks/cases.py::Case::one`'],
    ['python -m checks.all', 'checks/all.py', 'named by `python -m checks.all`'],
    ['diff want.txt <(node a.mjs)', 'a.mjs', 'named by `diff want.txt <(node a.mjs)`'],
    ['node a.mjs < want.txt', 'want.txt', 'named by `node a.mjs < want.txt`'],
    ['timeout 60 env CI=1 node a.mjs', 'a.mjs', 'named by `timeout 60 env CI=1 node a.mjs`'],
    ['bash -c "node a.mjs"', 'a.mjs', 'named by `bash -c "node a.mjs"`'],
    ['cd sub && node a.mjs', 'sub/a.mjs', 'named by `cd sub && node a.mjs`'],
    ['bats checks', 'checks/deep/one', 'named by `bats checks`'],
    ['mocha "checks/*.js"', 'checks/one.js', 'named by `mocha "checks/*.js"`'],
    ['npm test', 'package.json', 'script "test" of `npm test`'],
    ['npm t', 'package.json', 'script "test" of `npm t`'],
    ['npm test', 'tools/prepare.mjs', 'named by script "test"'],
    ['npm test', 'tools/after.js', 'named by script "test"'],
    ['npm test', 'ci/vitest.mjs', 'named by script "unit"'],
    ['npm test', 'scripts/check.sh', 'run by script "test"'],
    ['npm test', 'tools/verify.py', 'named by scripts/check.sh'],
    ['npm test', 'data/expected.txt', 'named by scripts/check.sh'],
    ['npm test', 'lib/run.mjs', 'named by scripts/lib.sh'],
    ['npm test -- checks/a.js', 'checks/a.js', 'named by `npm test -- checks/a.js`'],
    ['yarn unit', 'ci/vitest.mjs', 'named by script "unit"'],
    ['pnpm run lint', 'checks/rules.js', 'named by script "lint"'],
    ['bun run all', 'one.mjs', 'named by script "unit:one"'],
    ['node --run lint', 'checks/rules.js', 'named by script "lint"'],
    ['npm --prefix packages/a test', 'packages/a/verify.mjs', 'named by script "test"'],
    ['npm test -w packages/a', 'packages/a/verify.mjs', 'named by script "test"'],
    ['cd packages/a; npm test', 'packages/a/verify.mjs', 'named by script "test"'],
    ['make', 'Makefile', 'target "all" of `make`'],
    ['make test', 'tools/run.mjs', 'named by target "test"'],
    ['make all', 'cases/all.json', 'named by target "all"'],
    ['make -C sub check', 'sub/verify', 'named by target "check"'],
    ['make -C sub check', 'sub/expected.txt', 'named by sub/verify'],
    ['just test', 'suite/run.js', 'named by target "test"'],
    ['composer test', 'tools/b.php', 'named by script "test"'],
  ])('%s: %s', (command, path, reason) => {
    expect(named(command, path)).toEqual([`${path}: ${reason}`]);
  });

  it.each<[string, string]>([
    ['src/a.test.ts', 'test'],
    ['pkg/a_test.go', 'test'],
    ['test_app.py', 'test'],
    ['src/AppTest.java', 'test'],
    ['lib/tests/helper.rb', 'test'],
    ['__tests__/a.js', 'test'],
    ['spec/models/user.rb', 'test'],
    ['src/__snapshots__/a.test.ts.snap', 'snapshot'],
    ['vitest.config.ts', 'test configuration'],
    ['conftest.py', 'test configuration'],
    ['packages/a/jest.config.cjs', 'test configuration'],
    ['package.json', 'project configuration'],
    ['pyproject.toml', 'project configuration'],
    ['crates/x/Cargo.toml', 'project configuration'],
    ['go.mod', 'project configuration'],
    ['tsconfig.build.json', 'compiler configuration'],
    ['.eslintrc.json', 'linter configuration'],
    ['CMakeLists.txt', 'build file'],
    ['.github/workflows/ci.yml', 'CI configuration'],
  ])('by its name: %s', (path, role) => {
    expect(named('cargo test', path)).toEqual([`${path}: ${role}`]);
  });

  it('ordinary work is not named: sources, documents, what linters look at, new tests', () => {
    const sources = [
      'src/a.ts',
      'lib/latest.js',
      'src/contest.py',
      'README.md',
      'docs/testing.md',
      'src/testing/kit.ts',
      'attest.go',
      'src/protest/x.ts',
    ];
    expect(named('npm run lint && vitest run && eslint src && pytest src', ...sources)).toEqual([]);
    const created = ['src/a.test.ts', 'test/b.ts', 'src/__snapshots__/x.snap'].map((path) => ({path, change: 'created' as const}));
    expect(named('npm run lint', ...created)).toEqual([]);
  });

  it('a new configuration is named, and a new file that the check runs', () => {
    const created = ['vitest.config.ts', 'check.sh'].map((path) => ({path, change: 'created' as const}));
    expect(named('sh check.sh', ...created)).toEqual(['vitest.config.ts: test configuration', 'check.sh: named by `sh check.sh`']);
    expect(
      named('test -f check.sh && tsc new.ts < in.txt', {path: 'check.sh', change: 'created'}, {path: 'new.ts', change: 'created'}),
    ).toEqual([]);
  });

  it('what a hostile project writes ends: scripts in circles, deep and large files, patterns', () => {
    expect(named('npm run loop', 'package.json')).toEqual(['package.json: script "loop" of `npm run loop`']);
    const many = JSON.stringify({scripts: Object.fromEntries(Array.from({length: 500}, (_, index) => [`s${index}`, 'run-s s*']))});
    expect(checkFiles('npm run s0', (path) => (path === 'package.json' ? many : undefined)).length).toBeLessThan(1001);
    expect(checkFiles('cd a; '.repeat(250) + 'node x.mjs', () => undefined).length).toBeLessThan(1001);
    expect(checkFiles('sh x', () => 'sh x\n'.repeat(50_000)).length).toBeGreaterThan(0);
    expect(named(`bats ${'*a'.repeat(200)}`, 'a'.repeat(10_000))).toHaveLength(1);
    expect(named(`bats ${'*a'.repeat(200)}b`, 'a'.repeat(10_000))).toEqual([]);
    expect(checkFiles('node ../out.mjs /etc/passwd ~/x', () => 'x').map(({path}) => path)).toEqual(['node_modules/.bin/node']);
  });
});
