import type {DispatchResult} from '../../src/tools/dispatch/dispatch.ts';
import {rowsOf, spelledAs, type BladeCase} from './blade-case.ts';

const many = rowsOf(['read_many_files'], 'Read multiple files selected by glob patterns in a single bounded call.');
const batch = rowsOf(['batch'], 'Execute multiple read-only tool calls concurrently with all-settled behavior.');
const investigate = rowsOf(['codebase_investigator'], 'Run a bounded read-only investigation pass and return structured findings.');

interface Part {
  readonly path?: string;
  readonly content?: string;
  readonly tool?: string;
  readonly ok?: boolean;
}

/** What the JSON text holds. */
const told = ({text}: DispatchResult) => JSON.parse(text) as {files: Part[]; results: Part[]; meta: object; summary: object; gaps: unknown};
const paths = (result: DispatchResult): unknown => told(result).files.map(({path}) => path);
const contents = (result: DispatchResult): unknown => told(result).files.map(({content}) => content);
/** Of the whole result: its text may be shortened. */
const whole = ({structured}: DispatchResult) => structured as {files: {byte_count: number}[]; summary: {returned: number}};
const returned = (result: DispatchResult): unknown => whole(result).summary.returned;
const sizes = (result: DispatchResult): unknown => whole(result).files.map((file) => file.byte_count);
const counts = (result: DispatchResult): unknown => told(result).summary;
const ends = (result: DispatchResult): unknown => told(result).results.map(({tool, ok}) => [tool, ok]);
const meta = (result: DispatchResult): unknown => told(result).meta;

const GOOD = {tool: 'read_file', arguments: {path: 'src/main.rs'}};
const BAD = {tool: 'read_file', arguments: {path: 'nowhere'}};
const METRICS = {calls: 1, failures: 0, failure_rate: 0, latency_ms: {p50: 0, p95: 0}};
const META = {
  total: 1,
  succeeded: 1,
  failed: 0,
  skipped: 0,
  elapsed_ms: 0,
  cancelled: false,
  max_parallel: 8,
  fail_fast: false,
  ordered: true,
  metrics: METRICS,
};
const NOT_ALLOWED = 'tool is not allowed in batch: only read-only tools are, and not batch itself';

/** "Composite Read-Only Tools". */
export const COMPOSITE_CASES: readonly BladeCase[] = [
  ...spelledAs(many, 'paths', {
    names: ['paths', 'globs', 'patterns'],
    args: {paths: ['docs/*']},
    pick: paths,
    expect: ['docs/Notes.md', 'docs/empty.md'],
  }),
  ...many('exclude', 'value', {args: {paths: ['docs/*'], exclude: ['empty.*']}, pick: paths, expect: ['docs/Notes.md']}),
  ...many('max_files', 'default', {
    args: {paths: ['many/*']},
    pick: counts,
    expect: {matched: 510, returned: 100, truncated_files: 0, skipped: 410, failed: 0, elapsed_ms: 0},
  }),
  ...many('max_files', 'value', {args: {paths: ['many/*'], max_files: 2}, pick: paths, expect: ['many/f000.txt', 'many/f001.txt']}),
  ...many('max_files', 'cap', {args: {paths: ['many/*'], max_files: 9999}, pick: returned, expect: 500}),
  ...many('max_bytes_per_file', 'default', {
    args: {paths: ['big.txt']},
    before: [['write_file', {path: 'big.txt', content: 'x'.repeat(600_000)}]],
    pick: sizes,
    expect: [65_536],
  }),
  ...many('max_bytes_per_file', 'cap', {
    args: {paths: ['big.txt'], max_bytes_per_file: 9_999_999},
    before: [['write_file', {path: 'big.txt', content: 'x'.repeat(600_000)}]],
    pick: sizes,
    expect: [524_288],
  }),
  ...many('max_bytes_per_file', 'value', {
    args: {paths: ['src/ten.txt'], max_bytes_per_file: 14},
    pick: contents,
    expect: ['1: line 1\n2: line 2'],
  }),
  ...many('include_line_numbers', 'default', {args: {paths: ['docs/Notes.md']}, pick: contents, expect: ['1: needle in docs']}),
  ...many('include_line_numbers', 'value', {
    args: {paths: ['docs/Notes.md'], include_line_numbers: false},
    pick: contents,
    expect: ['needle in docs'],
  }),
  ...many('paths', 'refused', {args: {paths: ['nothing/*']}, pick: ({isError}) => isError, expect: true}),

  ...batch('calls', 'required', {
    args: {calls: [GOOD, BAD]},
    pick: ends,
    expect: [
      ['read_file', true],
      ['read_file', false],
    ],
  }),
  ...batch('calls', 'alias', {args: {calls: [{name: 'list_dir', arguments: {path: 'docs'}}]}, pick: ends, expect: [['list_dir', true]]}),
  ...batch('calls', 'refused', {
    args: {
      calls: [
        {tool: 'run_command', arguments: {command: 'touch x'}},
        {tool: 'batch', arguments: {calls: [GOOD]}},
        {tool: 'write_file', arguments: {path: 'x', content: ''}},
      ],
    },
    pick: (result) => told(result).results,
    expect: [
      {index: 0, tool: 'run_command', ok: false, error: NOT_ALLOWED, elapsed_ms: 0},
      {index: 1, tool: 'batch', ok: false, error: NOT_ALLOWED, elapsed_ms: 0},
      {index: 2, tool: 'write_file', ok: false, error: NOT_ALLOWED, elapsed_ms: 0},
    ],
    file: ['x', null],
  }),
  ...batch('max_parallel', 'default', {args: {calls: [GOOD]}, pick: meta, expect: META}),
  ...batch('max_parallel', 'cap', {args: {calls: [GOOD], max_parallel: 99}, pick: meta, expect: {...META, max_parallel: 16}}),
  ...batch('fail_fast', 'default', {
    args: {calls: [BAD, GOOD], max_parallel: 1},
    pick: meta,
    expect: {...META, total: 2, failed: 1, max_parallel: 1, metrics: {...METRICS, calls: 2, failures: 1, failure_rate: 0.5}},
  }),
  ...batch('fail_fast', 'value', {
    args: {calls: [BAD, GOOD, GOOD], max_parallel: 1, fail_fast: true},
    pick: meta,
    expect: {
      ...META,
      total: 3,
      succeeded: 0,
      failed: 1,
      skipped: 2,
      max_parallel: 1,
      fail_fast: true,
      metrics: {...METRICS, calls: 1, failures: 1, failure_rate: 1},
    },
  }),
  ...batch('ordered', 'default', {args: {calls: [GOOD]}, pick: meta, expect: META}),
  ...batch('ordered', 'value', {args: {calls: [GOOD], ordered: false}, pick: meta, expect: {...META, ordered: false}}),
  ...batch('cancel_after_ms', 'value', {args: {calls: [GOOD], cancel_after_ms: 60_000}, pick: meta, expect: META}),

  ...spelledAs(investigate, 'objective', {
    names: ['objective', 'query', 'task'],
    args: {objective: 'Where is hello called?', output_format: 'markdown'},
    expect: [
      '# Where is hello called?',
      '',
      '## Findings',
      '- src/main.rs has hello in 1 line (src/main.rs:2)',
      '',
      '## Gaps',
      '- "called" does not occur',
      '- Words were searched, nothing was understood: read the evidence before you rely on it.',
      '',
      'Confidence: low. Method: search. Searched: "hello" in all files; "called" in all files.',
    ].join('\n'),
  }),
  ...investigate('scope', 'default', {
    args: {objective: 'needle', scope: ['**/*']},
    pick: (result) => told(result).meta,
    expect: {method: 'search', searched: ['"needle" in all files'], turns_used: 1, tool_calls: 2},
  }),
  ...investigate('scope', 'value', {
    args: {objective: 'needle', scope: ['src/**']},
    pick: (result) => JSON.parse(result.text) as unknown,
    expect: {
      status: 'no findings',
      objective: 'needle',
      findings: [],
      gaps: ['"needle" does not occur', 'Words were searched, nothing was understood: read the evidence before you rely on it.'],
      confidence: 'none',
      meta: {method: 'search', searched: ['"needle" in src/**'], turns_used: 1, tool_calls: 2},
    },
  }),
  ...investigate('max_turns', 'default', {
    args: {objective: 'needle'},
    stub: 'agents',
    pick: (result) => told(result).gaps,
    expect: ['turns 8, calls 40'],
  }),
  ...investigate('max_turns', 'cap', {
    args: {objective: 'needle', max_turns: 99},
    stub: 'agents',
    pick: (result) => told(result).gaps,
    expect: ['turns 16, calls 40'],
  }),
  ...investigate('max_tool_calls', 'cap', {
    args: {objective: 'needle', max_tool_calls: 999},
    stub: 'agents',
    pick: (result) => told(result).gaps,
    expect: ['turns 8, calls 120'],
  }),
  ...investigate('output_format', 'default', {
    args: {objective: 'needle'},
    pick: ({text}) => (JSON.parse(text) as {findings: unknown}).findings,
    expect: [
      {claim: 'docs/Notes.md has needle in 1 line', evidence: ['docs/Notes.md:1']},
      {claim: 'vendor/v.go has needle in 1 line', evidence: ['vendor/v.go:1']},
    ],
  }),
  ...investigate('output_format', 'refused', {
    args: {objective: 'needle', output_format: 'xml'},
    pick: ({outcome}) => outcome,
    expect: 'invalid',
  }),
  ...investigate('cancel_after_ms', 'value', {
    args: {objective: 'needle', cancel_after_ms: 60_000, output_format: 'json'},
    pick: ({isError}) => isError,
    expect: false,
  }),
];
