/** A part of an output that differs in each run even if nothing else does. */
export interface VolatilePart {
  readonly pattern: RegExp;
  /** The program that writes it. */
  readonly tool: string;
  /** Documentation of the format. */
  readonly source: string;
}

/** Applied in this order: a longer form comes before its parts. */
export const VOLATILE_PARTS: readonly VolatilePart[] = [
  {pattern: /\bduration_ms:? +[\d.]+/g, tool: 'node --test', source: 'Node.js › Test runner › test reporters (spec, tap)'},
  {pattern: /# time=[\d.]+(?:ms|s)?/g, tool: 'node-tap', source: 'TAP 14 › directives and comments; node-tap › tap reporter'},
  {pattern: /\btime="?[\d.]+"?/g, tool: 'JUnit XML', source: 'Surefire › XML report schema'},
  {pattern: /\b(?:uuid|timestamp|hostname)="[^"]*"/g, tool: 'JUnit XML', source: 'Surefire › XML report schema'},
  {pattern: /\bTime: +\d\d:\d\d(?:[:.]\d+)+, Memory: [\d.]+ ?[KMG]B/g, tool: 'PHPUnit', source: 'PHPUnit › the command-line test runner'},
  {pattern: /\bTime Elapsed +\d\d:\d\d:\d\d[.\d]*/g, tool: 'dotnet build', source: '.NET › MSBuild › console logger'},
  {pattern: /\b(?:Start at|Finished at:?|Started at:?) +\S+/g, tool: 'Vitest, Maven', source: 'Vitest › reporters; Maven › build summary'},
  {
    pattern: /\b(?:random(?:ized)?|shuffled?|run)[^\n]{0,30}?\bseed:? +\d+|-{1,2}(?:seed|shuffle|test\.shuffle)[ =]\d+|\bseed[:=] ?\d+/gi,
    tool: 'RSpec, Minitest, ExUnit, Jest, pytest-randomly, go test -shuffle',
    source: 'RSpec › --order; Minitest › --seed; ExUnit › :seed; Jest › --showSeed; pytest-randomly; go help testflag',
  },
  {pattern: /^[ \t]*(?:Duration|Time|Total time):?[ \t]+[\d.]+[ \t]*$/gm, tool: 'several', source: 'summaries without a unit'},
  {
    pattern: /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g,
    tool: 'logs',
    source: 'RFC 3339 › Internet date/time format',
  },
  {
    pattern:
      /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:\d{1,2} )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[ \d:]*(?:[A-Z]{3,4}(?: \d{4})?)?/g,
    tool: 'date',
    source: 'POSIX › date',
  },
  {pattern: /\b\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)(?: ?[AP]M)?\b|\b\d{1,2}:\d{2}(?: ?[AP]M\b)/g, tool: 'logs', source: 'clock times'},
  {pattern: /\b\d+m ?\d+(?:\.\d+)?s\b/g, tool: 'time, Gradle, Playwright', source: 'bash › time; Gradle › build summary'},
  {
    pattern: /(?<![\w.])\d+(?:[.,]\d+){0,3}\s?(?:ns|µs|us|ms|msecs?|milliseconds?|s|secs?|seconds?|min|mins|minutes?)\b/g,
    tool: 'Jest, Mocha, Vitest, pytest, unittest, cargo, go test, Maven, Gradle, RSpec, dotnet test, Swift, ctest, Deno, tsc',
    source: 'the summaries in the documentation of each',
  },
  {pattern: /\b\d+(?:\.\d+)? ?% of (?:the )?(?:total )?time\b/g, tool: 'profilers', source: 'gprof, pytest --durations'},
  {pattern: /\(node:\d+\)/g, tool: 'Node.js', source: 'Node.js › process › event: warning'},
  {pattern: /\bpid[ :=]*\d+/gi, tool: 'logs', source: 'process ids'},
  {pattern: /\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):\d{4,5}\b/g, tool: 'servers of tests', source: 'RFC 6335 › dynamic ports'},
  {
    pattern: /(?:\/private)?(?:\/tmp|\/var\/folders|\/var\/tmp)\/[^\s'":)\]]+/g,
    tool: 'mktemp',
    source: 'POSIX › TMPDIR; Darwin › confstr(_CS_DARWIN_USER_TEMP_DIR)',
  },
  {pattern: /\b0x[0-9a-f]{6,16}\b/gi, tool: 'Python, Go', source: 'Python › object.__repr__; Go › runtime › stack traces'},
  {pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, tool: 'ids', source: 'RFC 9562'},
  {pattern: /\b1[5-9]\d{11}\b/g, tool: 'Date.now()', source: 'milliseconds since 1970'},
];
