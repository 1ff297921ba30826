import {hash} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {defineConfig} from 'vitest/config';
import {BaseSequencer, type TestSpecification} from 'vitest/node';

/**
 * What runs the built command, or starts servers and programs, and leaves nothing behind in its own process: modules are loaded once for all
 * files of a worker.
 */
const COMMAND = [
  'test/e2e/**/*.test.ts',
  'test/acceptance/**/*.test.ts',
  'test/mcp/**/*.test.ts',
  'test/hosts/mcp/**/*.test.ts',
  'test/sdk/**/{safe-git,worktree,children*,open-subagents}.test.ts',
  'test/sdk/{hooks,replay,traces}/**/*.test.ts',
  'test/tools/custom/**/*.test.ts',
];

/** What races with programs and servers, mocks modules, and suites that others wrote: slower, and some of it needs the build. */
const WHOLE = [
  'test/browser/**/*.test.ts',
  'test/conformance/**/*.test.ts',
  'test/bench/{instant-model,run-tree}.test.ts',
  'test/fuzz/**/*.test.ts',
  'test/attacks/{config-trust,local-server,records}.test.ts',
  'test/code/index/**/*.test.ts',
  'test/code/edits/**/*.test.ts',
  'test/code/resolve/{contexts,unnamed-types}.test.ts',
  'test/code/servers/{language-servers,served-graph,hostile/hostile}.test.ts',
  'test/code/store/{global-members,references-at}.test.ts',
  'test/code/{languages,extract}/{samples,hostile,walk-memory,engine}.test.ts',
  'test/exec/**/*.test.ts',
  'test/lab/engine/{contract,budget,postgres,missing-package}.test.ts',
  'test/lab/suite/guide-of-tests.test.ts',
  'test/lab/artifacts/**/*.test.ts',
  'test/lab/rollout/runs/**/*.test.ts',
  // They load modules, or ask which are loaded, which others of the same worker must not see.
  'test/hosts/tui/views/{markdown/**/*,missing-libraries}.test.ts',
  'test/hosts/tui/editor/history-file.test.ts',
  'test/parity/golden.test.ts',
  'test/schedule/{supervisor,notify}/**/*.test.ts',
  'test/schedule/daemon/run-daemon.test.ts',
  'test/tools/operations/symbols/edit-symbol.test.ts',
  'test/tools/toolsets/**/{blade.cases,blade-symbols,vtcode-terminal,edit-cases,fettle-commands}.test.ts',
  'test/tools/{shells/command-sessions,operations/large-folders}.test.ts',
  'test/workspace/checkpoints/**/{faults,restore}.test.ts',
  'test/search/**/{rust-regex,git-oracle,table}.test.ts',
];

/** What is statistical, or kills and races by chance: `npm run soak`. Those with seeds print them. */
const SOAK = [
  'test/soak/**/*.test.ts',
  'test/fuzz/{shell,hostile-lines,scripts}.test.ts',
  // Samples, compared with what another program says of them.
  'test/code/languages/{ctags,machine}.test.ts',
  'test/search/git-oracle.test.ts',
  'test/code/index/killed.test.ts',
  'test/lab/engine/{kills,silent-connections}.test.ts',
  // Images are built, and containers started.
  'test/lab/rollout/containers/**/*.test.ts',
  // Policies that learn, over hundreds of choices.
  'test/optimization/policies/regret.test.ts',
  'test/sessions/crash.test.ts',
  'test/schedule/daemon/chaos.test.ts',
  'test/workspace/races.test.ts',
  'test/workspace/checkpoints/restore-cut-off.test.ts',
  // Hostile projects, agents and servers, one after the other.
  'test/acceptance/hostile.test.ts',
  'test/lab/rollout/runs/cheating.test.ts',
  'test/lab/self-play/cheating.test.ts',
  'test/mcp/hostile.test.ts',
  // Each task of the example suite twice.
  'test/e2e/small-suite.test.ts',
  'test/e2e/{crash-points,crash-compaction,delegation-crash,killed-edits,undo-races}.test.ts',
  'test/code/{python,typescript}-truth.test.ts',
  // Real projects, renamed in, and checked by their own compilers and tests.
  'test/code/edits/rename-projects.test.ts',
];

/** Properties whose cases cost files or processes: the soak has them all, and `npm test` a part (`support/thorough.ts`). */
const THOROUGH = [
  'test/tools/operations/byte-faithful.test.ts',
  'test/tools/ports/memory-editor.test.ts',
  'test/workspace/checkpoints/{damaged-store,restore/restore}.test.ts',
  'test/workspace/open-workspace.test.ts',
  'test/config/trust/trust-store.test.ts',
  'test/code/extract/{hostile,walk-memory}.test.ts',
  'test/sdk/safe-git.test.ts',
  'test/sessions/event-log.test.ts',
  'test/schedule/times/due-times.test.ts',
  'test/acceptance/long-memory.test.ts',
  'test/e2e/prefix-stability.test.ts',
  'test/search/rust-regex/rust-regex.test.ts',
];

/** What takes longest, whatever the size of its file: begun last, it would run alone while the other worker has nothing to do. */
const LONG = new RegExp(
  [
    'e2e/(index|lab|self-play|schedule|cli|endings|sdk-guide|terminal-view|package|misbehaving|continuation|prefix|crash|killed|undo-races|delegation)',
    'conformance/|acceptance/|rollout/runs/(cheating|infrastructure)|engine/(contract|postgres|kills)|mcp/(hostile|attacks|serve|oauth/processes)',
    'large-folders|blade\\.cases|escapes|worktree|lab-report|parity/golden|cut-off|language-servers|index/(build|killed)|edits/(beside|rename-)',
    'fuzz/(shell|hostile-lines)|-truth|rust-regex|races|safe-git|extract/(hostile|walk-memory)',
  ].join('|'),
);

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(LONG.test(b.moduleId)) - Number(LONG.test(a.moduleId)));
  }
}

// Programs of ours that tests start are compiled once for all of them, not once each: half of the time of most.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compile');

// The same commit has the same result, and each change looks at other cases.
process.env['FETTLE_SEED'] ??= String(seedOf(['src', 'test'].map((name) => join(import.meta.dirname, name))));

/** A whole number of 31 bits for what the files of folders say. */
function seedOf(folders: readonly string[]): number {
  const digests = folders.flatMap((folder) =>
    readdirSync(folder, {recursive: true, withFileTypes: true})
      .filter((entry) => entry.isFile())
      .map((entry) => hash('sha1', readFileSync(join(entry.parentPath, entry.name)))),
  );
  return Number.parseInt(hash('sha1', digests.toSorted().join('\n')).slice(0, 8), 16) >>> 1;
}

export default defineConfig({
  test: {
    // Twice the cores that are promised: for a third of the time of three workers, tests waited for programs and disks.
    maxWorkers: 4,
    sequence: {sequencer: LongFirst},
    projects: [
      // Modules are loaded once for all files of a worker: a quarter of the time. No test may leave anything behind in one.
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...COMMAND, ...WHOLE, ...SOAK],
          testTimeout: 20_000,
          isolate: false,
          setupFiles: 'test/support/seed.ts',
        },
      },
      {
        test: {
          name: 'command',
          include: COMMAND,
          exclude: SOAK,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          isolate: false,
          setupFiles: 'test/support/seed.ts',
        },
      },
      {test: {name: 'whole', include: WHOLE, exclude: SOAK, testTimeout: 60_000, hookTimeout: 60_000, setupFiles: 'test/support/seed.ts'}},
      {
        test: {
          name: 'soak',
          include: [...SOAK, ...THOROUGH],
          env: {FETTLE_THOROUGH: '1'},
          testTimeout: 600_000,
          hookTimeout: 60_000,
          setupFiles: 'test/support/seed.ts',
        },
      },
    ],
  },
});
