import {describe, expect, it} from 'vitest';
import {isRunnerFile} from '../../../../src/lab/rollout/tree/runner-files.ts';

describe('files that test runners load by themselves', () => {
  it.each(
    `conftest.py a/b/conftest.py pytest.ini .pytest.ini tox.ini sitecustomize.py x.pth unittest.py unittest/main.py pytest/__init__.py
     jest.config.js vitest.config.mts vite.config.ts vitest.workspace.json babel.config.cjs .mocharc.yml .babelrc .npmrc .yarnrc.yml bunfig.toml
     node_modules/.bin/jest pkg/node_modules/.bin/mocha .cargo/config.toml .cargo/config rust-toolchain go.work .envrc .tool-versions`
      .trim()
      .split(/\s+/),
  )('%s is one', (path) => expect(isRunnerFile(path)).toBe(true));

  it.each(
    `package.json pyproject.toml Makefile src/conftest.pyc my_conftest.py test_pytest.py unittests.py config.toml cargo/config.toml jest.config
     node_modules/.bin src/vite.ts setup.cfg answer.txt docs/pytest.ini.md`
      .trim()
      .split(/\s+/),
  )('%s is ordinary work', (path) => expect(isRunnerFile(path)).toBe(false));
});
