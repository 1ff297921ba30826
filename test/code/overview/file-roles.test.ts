import {expect, it} from 'vitest';
import {fileRole, type FileRole} from '../../../src/code/overview/file-roles.ts';

it.each<[FileRole, string]>([
  ['test', 'test/a.ts'],
  ['test', 'src/a.test.ts'],
  ['test', 'pkg/server_test.go'],
  ['test', 'tests/test_a.py'],
  ['test', 'src/test/java/AppTest.java'],
  ['config', 'package.json'],
  ['config', 'pkg/tsconfig.build.json'],
  ['config', 'vite.config.ts'],
  ['config', 'Cargo.toml'],
  ['entry', 'src/main.rs'],
  ['entry', 'src/index.ts'],
  ['entry', 'cmd/tool/run.go'],
  ['entry', 'app/__main__.py'],
  ['source', 'src/latest.ts'],
  ['source', 'src/contest/run.ts'],
  ['source', 'src/mainly.ts'],
])('%s: %s', (role, path) => {
  expect(fileRole(path)).toBe(role);
});
