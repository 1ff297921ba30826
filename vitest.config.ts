import {defineConfig} from 'vitest/config';

/** What starts programs and servers, or races with them, and suites that others wrote: slower, and some of it needs the build. */
const WHOLE = [
  'test/e2e/**/*.test.ts',
  'test/acceptance/**/*.test.ts',
  'test/conformance/**/*.test.ts',
  'test/fuzz/**/*.test.ts',
  'test/attacks/{config-trust,local-server}.test.ts',
  'test/exec/**/*.test.ts',
  'test/mcp/**/*.test.ts',
  'test/hosts/mcp/**/*.test.ts',
  'test/parity/golden.test.ts',
  'test/sdk/{safe-git,worktree,children*,open-subagents}.test.ts',
  'test/sdk/{hooks,replay,traces}/**/*.test.ts',
  'test/tools/custom/**/*.test.ts',
  'test/tools/toolsets/{blade.cases,vtcode-terminal,edit-cases,fettle-commands}.test.ts',
  'test/tools/{command-sessions,operations/large-folders}.test.ts',
  'test/workspace/{races,checkpoints/faults,checkpoints/restore}.test.ts',
  'test/sessions/crash.test.ts',
];

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {test: {name: 'unit', include: ['test/**/*.test.ts'], exclude: WHOLE, testTimeout: 20_000}},
      {test: {name: 'whole', include: WHOLE, testTimeout: 60_000}},
    ],
  },
});
