import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {changedLoadedFiles, putBackFiles, readLoadedFiles} from '../../../../src/lab/rollout/tree/loaded-files.ts';
import {withEarlierSettings} from '../../../../src/lab/rollout/tree/runner-settings.ts';
import {scratch} from '../../../support/scratch.ts';

const PACKAGE = {name: 'x', scripts: {test: 'node --test', build: 'tsc'}};

describe('settings of test runners in files that are ordinary work', () => {
  it.each([
    [
      'pyproject.toml',
      'a table of pytest that is new is removed',
      {
        before: '[project]\nname = "x"\n',
        now: '[project]\nname = "y"\nsince = 2026-01-02\n\n[tool.pytest.ini_options]\naddopts = "--collect-only"\n',
      },
      '[project]\nname = "y"\nsince = 2026-01-02\n\n[tool]\n',
    ],
    [
      'pyproject.toml',
      'also if it is written another way',
      {before: undefined, now: 'tool.pytest = {ini_options = {addopts = "--collect-only"}}\ntool.black.line-length = 90\n'},
      '[tool.black]\nline-length = 90\n',
    ],
    [
      'pyproject.toml',
      'one that was there comes back',
      {before: '[tool.pytest.ini_options]\npythonpath = "src"\n', now: 'x = 1\n'},
      'x = 1\n\n[tool.pytest.ini_options]\npythonpath = "src"\n',
    ],
    [
      'pyproject.toml',
      'a file that Python reads is no excuse: integers of any size',
      {before: undefined, now: 'x = 99999999999999999999\n[tool.pytest.ini_options]\naddopts = "--collect-only"\n'},
      'x = 99999999999999999999\n\n[tool]\n',
    ],
    [
      'Cargo.toml',
      'tests are run as before (The Cargo Book › Cargo Targets)',
      {
        before: '[package]\nname = "x"\n\n[[test]]\nname = "a"\n',
        now: '[package]\nname = "x"\nautotests = false\n\n[lib]\nname = "y"\nharness = false\n\n[[test]]\nname = "hidden"\nharness = false\n\n[dependencies]\na = "1"\n',
      },
      '[package]\nname = "x"\n\n[lib]\nname = "y"\n\n[dependencies]\na = "1"\n\n[[test]]\nname = "a"\n',
    ],
    [
      'Cargo.toml',
      'other changes stay',
      {before: '[package]\nname = "x"\n', now: '[package]\nname = "y"\n[lib]\npath = "a.rs"\n'},
      undefined,
    ],
    ['package.json', 'a byte order mark hides nothing', {before: undefined, now: '\uFEFF{"jest": {"testMatch": []}}'}, '{}\n'],
    ['pyproject.toml', 'other changes stay', {before: '[project]\nname = "x"\n', now: '[project]\nname = "y"\n'}, undefined],
    ['pyproject.toml', 'a file that no runner can read stays', {before: '', now: '[tool.pytest'}, undefined],
    [
      'a/setup.cfg',
      'a section is as it was',
      {
        before: '[metadata]\nname = x\n[tool:pytest]\ntestpaths = t\n',
        now: '[tool:pytest]\naddopts = --collect-only\n[metadata]\nname = y',
      },
      '[metadata]\nname = y\n[tool:pytest]\ntestpaths = t\n',
    ],
    ['setup.cfg', 'other sections stay', {before: undefined, now: '[metadata]\nname = y\n'}, undefined],
    [
      'package.json',
      'scripts of tests and tables of runners are as they were',
      {
        before: JSON.stringify(PACKAGE),
        now: JSON.stringify({
          ...PACKAGE,
          scripts: {test: 'true', pretest: 'exit', build: 'vite'},
          jest: {testMatch: []},
          dependencies: {a: '1'},
        }),
      },
      `${JSON.stringify({name: 'x', dependencies: {a: '1'}, scripts: {build: 'vite', test: 'node --test'}}, undefined, 2)}\n`,
    ],
    ['package.json', 'a first script of tests stays', {before: '{}', now: '{"scripts": {"test": "node --test"}}'}, undefined],
  ])('%s: %s', (path, _, texts, expected) => {
    expect(withEarlierSettings(path, texts)).toBe(expected);
  });

  it('are put back where the agent has left its other changes', async () => {
    const tree = await scratch({'pyproject.toml': 'x = 1\n', 'setup.cfg': ''});
    const before = await readLoadedFiles({tree, work: tree});
    await writeFile(join(tree, 'pyproject.toml'), 'x = 2\n[tool.pytest]\naddopts = ["--collect-only"]\n');
    await mkdir(join(tree, 'p'));
    await writeFile(join(tree, 'p', 'setup.cfg'), '[tool:pytest]\naddopts = --collect-only\n');
    const after = await readLoadedFiles({tree, work: tree});
    const changed = changedLoadedFiles(before, after, '');
    await putBackFiles(tree, changed, {before, after});
    const left = await Promise.all(['pyproject.toml', 'p/setup.cfg'].map(async (name) => await readFile(join(tree, name), 'utf8')));
    expect([changed, left]).toEqual([
      ['p/setup.cfg', 'pyproject.toml'],
      ['x = 2\n\n[tool]\n', ''],
    ]);
  });
});
