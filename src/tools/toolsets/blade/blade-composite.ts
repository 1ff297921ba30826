import * as z from 'zod/mini';
import {counted} from '../../../base/counted.ts';
import {batch} from '../../operations/meta/batch.ts';
import {investigate} from '../../operations/agent/investigate.ts';
import type {InvestigateResult} from '../../operations/agent/investigation.ts';
import {readMany, type ReadManyResult} from '../../operations/fs/read-many.ts';
import {defineTool, type Tool} from '../../toolset.ts';
import {capped, described, wholeNumber} from './blade-parameters.ts';
import {fitFiles, type ShownFile} from './fit-files.ts';
import {aliasesOf} from '../../compat/parameter-aliases.ts';

const MAX_FILES = {default: 100, max: 500};
const FILE_BYTES = {default: 65_536, max: 524_288};
/** Below the bound of every toolset that takes this tool, with room for the summary and for notes. */
const RESULT_BYTES = 48_000;
const PARALLEL = {default: 8, max: 16};
const TURNS = {default: 8, max: 16};
const TOOL_CALLS = {default: 40, max: 120};

const texts = (text: string) => z.array(z.string()).check(z.describe(text));
const flag = (text: string) => z.optional(z.boolean().check(z.describe(text)));

const readManyFiles = defineTool({
  name: 'read_many_files',
  description: 'Read the files that glob patterns select, in one bounded call.',
  input: z.object({
    paths: texts('include globs').check(z.minLength(1)),
    exclude: z.optional(texts('exclude globs')),
    max_files: wholeNumber('default 100, at most 500'),
    max_bytes_per_file: wholeNumber('default 65536, at most 524288'),
    include_line_numbers: flag('default true'),
  }),
  aliases: aliasesOf({paths: ['globs', 'patterns', 'path', 'pattern', 'glob', 'include', 'files', 'file_paths'], exclude: ['excludes']}),
  audience: 'composite',
  operation: readMany,
  toArgs: ({paths, exclude, max_files: maxFiles, max_bytes_per_file: maxBytes, include_line_numbers: lineNumbers}) => ({
    patterns: paths,
    dialect: 'bash',
    exclude: exclude ?? [],
    maxFiles: capped(maxFiles, MAX_FILES),
    maxBytesPerFile: capped(maxBytes, FILE_BYTES),
    lineNumbers: lineNumbers ?? true,
  }),
  render({files, summary}, {include_line_numbers: lineNumbers}) {
    const all = files.map(fileJson);
    const shown = fitFiles(all, RESULT_BYTES, lineNumbers ?? true);
    const truncatedFiles = shown.filter((file) => 'truncated' in file && file.truncated).length;
    const isShortened = shown.some((file, index) => file !== all[index]);
    return {
      text: JSON.stringify({files: shown, summary: summaryJson({...summary, truncatedFiles}), ...(isShortened ? {truncated: true} : {})}),
      isJson: true,
      summary: counted(summary.returned, 'file'),
      structured: {files: all, summary: summaryJson(summary)},
    };
  },
});

function fileJson(file: ReadManyResult['files'][number]): ShownFile | {path: string; error: string} {
  if ('error' in file) return file;
  const {path, truncated, content, lineCount, byteCount, originalByteCount} = file;
  return {path, truncated, content, line_count: lineCount, byte_count: byteCount, original_byte_count: originalByteCount};
}

function summaryJson({matched, returned, truncatedFiles, skipped, failed, unmatched, elapsedMs}: ReadManyResult['summary']): object {
  const nothing = unmatched.length === 0 ? {} : {unmatched};
  return {matched, returned, truncated_files: truncatedFiles, skipped, failed, ...nothing, elapsed_ms: elapsedMs};
}

const batchTool = defineTool({
  name: 'batch',
  description: 'Run several read-only tool calls at the same time. Failures of single calls are part of the result.',
  input: z.object({
    calls: z
      .array(
        z.object({
          tool: z.optional(described('name of the tool')),
          name: z.optional(described('the same as tool')),
          arguments: z.optional(z.unknown().check(z.describe('object'))),
        }),
      )
      .check(z.minLength(1)),
    max_parallel: wholeNumber('default 8, at most 16'),
    fail_fast: flag('start no call after the first failure'),
    ordered: flag('results in the order of the calls, default true'),
    cancel_after_ms: wholeNumber('time for all of them'),
  }),
  aliases: aliasesOf({calls: ['tool_calls', 'invocations'], tool: ['tool_name'], arguments: ['args', 'parameters', 'input']}),
  audience: 'composite',
  operation: batch,
  toArgs: ({calls, max_parallel: maxParallel, fail_fast: failFast, ordered, cancel_after_ms: cancelAfterMs}) => ({
    calls: calls.map(({tool, name, arguments: input}) => ({tool: tool ?? name ?? '', arguments: input})),
    maxParallel: capped(maxParallel, PARALLEL),
    failFast: failFast ?? false,
    ordered: ordered ?? true,
    cancelAfterMs,
  }),
  render: (result) => ({
    text: JSON.stringify(result),
    isJson: true,
    summary: `${result.meta.succeeded} of ${counted(result.meta.total, 'call')}`,
  }),
});

const investigator = defineTool({
  name: 'codebase_investigator',
  description: 'Investigate a question about the code base, read-only and bounded; returns findings with the places that show them.',
  input: z.object({
    objective: described('what to find out'),
    scope: z.optional(texts('globs, default **/*')),
    max_turns: wholeNumber('default 8, at most 16'),
    max_tool_calls: wholeNumber('default 40, at most 120'),
    output_format: z.optional(z.enum(['json', 'markdown']).check(z.describe('default json'))),
    cancel_after_ms: wholeNumber('time for all of it'),
  }),
  aliases: aliasesOf({objective: ['query', 'task']}),
  audience: 'composite',
  operation: investigate,
  toArgs: ({objective, scope, max_turns: maxTurns, max_tool_calls: maxToolCalls, cancel_after_ms: cancelAfterMs}) => ({
    objective,
    // `**/*` means everything; as a glob it would also include ignored files.
    scope: (scope ?? []).filter((glob) => glob !== '**/*' && glob !== '**'),
    maxTurns: capped(maxTurns, TURNS),
    maxToolCalls: capped(maxToolCalls, TOOL_CALLS),
    cancelAfterMs,
  }),
  render(result, {objective, output_format: format}) {
    const text = format === 'markdown' ? findingsMarkdown(objective, result) : JSON.stringify(findingsJson(objective, result));
    return {text, summary: counted(result.findings.length, 'finding'), isJson: format !== 'markdown'};
  },
});

function findingsJson(objective: string, {findings, gaps, confidence, method, searched, turnsUsed, toolCalls}: InvestigateResult): object {
  const status = findings.length === 0 ? 'no findings' : 'findings';
  return {status, objective, findings, gaps, confidence, meta: {method, searched, turns_used: turnsUsed, tool_calls: toolCalls}};
}

function findingsMarkdown(objective: string, {findings, gaps, confidence, method, searched}: InvestigateResult): string {
  const found = findings.map(({claim, evidence}) => `- ${claim}${evidence.length === 0 ? '' : ` (${evidence.join(', ')})`}`);
  return [
    `# ${objective}`,
    '',
    ...(found.length === 0 ? ['No findings.'] : ['## Findings', ...found]),
    ...(gaps.length === 0 ? [] : ['', '## Gaps', ...gaps.map((gap) => `- ${gap}`)]),
    '',
    `Confidence: ${confidence}. Method: ${method}. Searched: ${searched.join('; ') || 'everything'}.`,
  ].join('\n');
}

/** "Composite Read-Only Tools" of "zblade tool calls": shown to some families of models, run for all. */
export const COMPOSITE_TOOLS: readonly Tool[] = [readManyFiles, batchTool, investigator];
