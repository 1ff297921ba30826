import {describe, expect, it} from 'vitest';
import {isRunnerFile, shadowsRunner} from '../../../../src/lab/rollout/tree/runner-files.ts';

describe('files that test runners load by themselves', () => {
  it.each(
    `conftest.py a/b/conftest.py x.egg-info/entry_points.txt pytest.ini .pytest.ini tox.ini sitecustomize.py x.pth unittest.py unittest/main.py pytest/__init__.py
     jest.config.js vitest.config.mts vite.config.ts vitest.workspace.json babel.config.cjs .mocharc.yml .babelrc .npmrc .yarnrc.yml bunfig.toml
     node_modules/.bin/jest pkg/node_modules/.bin/mocha .cargo/config.toml .cargo/config rust-toolchain go.work .envrc .tool-versions
     .pytest.toml pytest.toml rstest.config.ts spec/support/jasmine.mjs .config/nextest.toml .rspec-local lib/minitest/x_plugin.rb .mvn/maven.config
     src/test/resources/junit-platform.properties build/CTestCustom.cmake mise.toml`
      .trim()
      .split(/\s+/),
  )('%s is one', (path) => expect(isRunnerFile(path)).toBe(true));

  it.each(
    `package.json pyproject.toml Makefile src/conftest.pyc my_conftest.py test_pytest.py unittests.py config.toml cargo/config.toml jest.config
     node_modules/.bin src/vite.ts setup.cfg x.egg-info/PKG-INFO answer.txt docs/pytest.ini.md`
      .trim()
      .split(/\s+/),
  )('%s is ordinary work', (path) => expect(isRunnerFile(path)).toBe(false));
});

describe('modules that come before those of test runners', () => {
  it.each(['argparse.py', 'pluggy/__init__.py', 'json.cpython-311-x86_64-linux-gnu.so', 'calendar.pyc'])('%s is one', (path) =>
    expect(shadowsRunner(path)).toBe(true),
  );
  it.each(['src/argparse.py', 'argparse', 'json/data.txt', 'cmd/main.go', 'test.py', 'my_json.py', 'json.python'])(
    '%s is ordinary work',
    (path) => expect(shadowsRunner(path)).toBe(false),
  );
});
