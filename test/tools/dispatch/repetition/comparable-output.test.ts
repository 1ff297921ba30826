import {describe, expect, it} from 'vitest';
import {comparableOutput} from '../../../../src/tools/dispatch/repetition/comparable-output.ts';

/** The same end of a run, twice, as each tool writes it. */
const SAME: readonly (readonly [string, string, string])[] = [
  ['node --test (spec)', 'ℹ fail 1\nℹ duration_ms 61.234', 'ℹ fail 1\nℹ duration_ms 58.9'],
  ['node --test (TAP)', '  duration_ms: 1.234\n  ...\n# duration_ms 61', '  duration_ms: 0.7\n  ...\n# duration_ms 59.1'],
  ['node --test (line)', '✖ adds (1.234567ms)', '✖ adds (0.9ms)'],
  ['TAP', 'not ok 1 - adds # time=12.3ms\n# time=52.1ms', 'not ok 1 - adds # time=9ms\n# time=48ms'],
  ['Jest', 'Tests: 1 failed\nTime:        1.234 s, estimated 2 s', 'Tests: 1 failed\nTime:        0.98 s, estimated 1 s'],
  ['Jest (line)', '  ✕ adds (12 ms)', '  ✕ adds (3 ms)'],
  [
    'Vitest',
    '   Start at  10:11:12\n   Duration  1.20s (transform 30ms, tests 4ms)',
    '   Start at  10:11:59\n   Duration  980ms (transform 28ms, tests 5ms)',
  ],
  ['Mocha', '  1 failing (12ms)', '  1 failing (9ms)'],
  ['pytest', '=== 1 failed in 0.12s ===', '=== 1 failed in 0.09s ==='],
  ['pytest --durations', '0.05s call test_a.py::test_x', '0.04s call test_a.py::test_x'],
  ['pytest-randomly', 'Using --randomly-seed=123', 'Using --randomly-seed=456'],
  ['unittest', 'Ran 3 tests in 0.001s\n\nFAILED', 'Ran 3 tests in 0.002s\n\nFAILED'],
  ['cargo test', 'test result: FAILED. 1 failed; finished in 0.01s', 'test result: FAILED. 1 failed; finished in 0.00s'],
  ['cargo build', '    Finished `test` profile in 1.23s', '    Finished `test` profile in 0.02s'],
  ['go test', '--- FAIL: TestX (0.00s)\nFAIL\tpkg\t0.123s', '--- FAIL: TestX (0.01s)\nFAIL\tpkg\t0.098s'],
  ['go test -shuffle', '-test.shuffle 1700000000000000000', '-test.shuffle 1700000000000000001'],
  [
    'Maven',
    '[INFO] Total time:  1.234 s\n[INFO] Finished at: 2026-01-02T03:04:05+01:00',
    '[INFO] Total time:  2.1 s\n[INFO] Finished at: 2026-01-02T03:05:05+01:00',
  ],
  ['Surefire', 'Tests run: 3, Failures: 1, Time elapsed: 0.05 s', 'Tests run: 3, Failures: 1, Time elapsed: 0.061 s'],
  ['Gradle', 'BUILD FAILED in 1m 2s', 'BUILD FAILED in 59s'],
  [
    'RSpec',
    'Finished in 0.00123 seconds (files took 0.1 seconds to load)\nRandomized with seed 4711',
    'Finished in 0.00119 seconds (files took 0.09 seconds to load)\nRandomized with seed 815',
  ],
  ['Minitest', 'Run options: --seed 4711\nFinished in 0.001s, 1 runs', 'Run options: --seed 99\nFinished in 0.002s, 1 runs'],
  ['PHPUnit', 'Time: 00:00.012, Memory: 6.00 MB', 'Time: 00:00.009, Memory: 8.00 MB'],
  ['dotnet test', 'Failed!  - Failed: 1, Duration: 12 ms', 'Failed!  - Failed: 1, Duration: 9 ms'],
  ['dotnet build', 'Time Elapsed 00:00:01.23', 'Time Elapsed 00:00:00.98'],
  [
    'ExUnit',
    'Finished in 0.03 seconds (0.02s async, 0.01s sync)\nRandomized with seed 1',
    'Finished in 0.05 seconds (0.04s async, 0.01s sync)\nRandomized with seed 2',
  ],
  ['ctest', 'Total Test time (real) =   0.02 sec', 'Total Test time (real) =   0.11 sec'],
  ['Swift', "Test Case 'a' failed (0.012 seconds)", "Test Case 'a' failed (0.2 seconds)"],
  ['bash time', 'real\t0m0.123s\nuser\t0m0.01s', 'real\t0m1.1s\nuser\t0m0.02s'],
  ['JUnit XML', '<testcase name="a" time="0.012"/>', '<testcase name="a" time="0.2"/>'],
  ['colours', '\u001b[31mFAIL\u001b[0m a', 'FAIL a'],
  ['process ids', '(node:1234) Warning: x, pid 55', '(node:999) Warning: x, pid 7'],
  ['temporary paths', 'wrote /tmp/tmp.abc123/out', 'wrote /tmp/tmp.zzz/out'],
  ['ports', 'connect ECONNREFUSED 127.0.0.1:41234', 'connect ECONNREFUSED 127.0.0.1:50001'],
  ['addresses', '<X object at 0x7f12ab34cd56>', '<X object at 0x7fffab34cd56>'],
  ['ids', 'request 123e4567-e89b-12d3-a456-426614174000', 'request 00000000-e89b-12d3-a456-426614174000'],
  ['log times', '2026-01-02 03:04:05,123 ERROR x\n[10:11:12] y', '2026-01-02 03:04:06,999 ERROR x\n[10:11:13] y'],
  ['date', 'Mon Jan  5 10:11:12 UTC 2026', 'Mon Jan  5 10:11:13 UTC 2026'],
];

describe('outputs that say the same (issue 14 › circles: durations)', () => {
  it.each(SAME)('%s', (_tool, one, other) => {
    expect(comparableOutput(other)).toBe(comparableOutput(one));
  });

  it.each([
    ['how many failed', '2 failed, 10 passed in 0.1s', '1 failed, 11 passed in 0.1s'],
    ['which line', 'a.ts:12:3 error', 'a.ts:13:3 error'],
    ['which value', 'expected 5, got 6', 'expected 5, got 7'],
    ['which test', 'FAIL adds (3 ms)', 'FAIL divides (3 ms)'],
    ['a version', 'node v24.1.0', 'node v24.2.0'],
    ['lines of a log', 'a 1ms\na 2ms', 'a 1ms\na 2ms\na 3ms'],
    ['a rate', '512 requests', '511 requests'],
    ['a percentage of work', 'built 45%', 'built 46%'],
    ['an exit code', 'exit code 1', 'exit code 2'],
  ])('not where it differs in %s', (_what, one, other) => {
    expect(comparableOutput(other)).not.toBe(comparableOutput(one));
  });

  it('takes no longer than a moment for what looks like a number or a time for ever', () => {
    const long = ['1,', '\u001b]', '  \n', '1:', 'seed ', '/tmp/', 'pid '].map((part) => part.repeat(50_000)).join('x');
    expect(comparableOutput(long).length).toBeGreaterThan(0);
  });
});
