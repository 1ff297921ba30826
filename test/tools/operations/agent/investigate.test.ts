import {describe, expect, it} from 'vitest';
import {FettleError} from '../../../../src/base/errors.ts';
import type {SearchEngine} from '../../../../src/search/engine.ts';
import type {AgentRequest, AgentRunner} from '../../../../src/tools/ports/agent-runner.ts';
import type {InvestigateResult} from '../../../../src/tools/operations/agent/investigation.ts';
import {keywordsOf} from '../../../../src/tools/operations/search/keywords.ts';
import {scratch} from '../../../support/scratch.ts';
import {openToolset, type ToolsetOptions} from '../../support/open-toolset.ts';

const FILES = {
  'src/retry.ts': 'export function retryDelay(attempt) {\n  return attempt * 2;\n}\n',
  'src/use.ts': 'import {retryDelay} from "./retry.ts";\nretryDelay(1);\n',
  'docs/x.md': 'nothing\n',
  '.gitignore': 'dist\n',
  'dist/out.js': 'retryDelay\n',
};

async function investigate(args: object, context: ToolsetOptions['context'] = {}): Promise<InvestigateResult> {
  const tools = await openToolset('blade', await scratch(FILES), {context});
  return (await tools.call('codebase_investigator', args)).structured as InvestigateResult;
}

function agents(answer: (request: AgentRequest) => string | Error, completed = true): AgentRunner {
  return {
    profiles: [{name: 'explore', description: '', isSubagent: true}],
    async run(request) {
      request.onProgress('read a file');
      const response = answer(request);
      if (response instanceof Error) throw response;
      return {response, turnsUsed: 3, completed};
    },
  };
}

describe('zblade tool calls › codebase_investigator by search', () => {
  it('"structured findings": what defines a word comes first, each with its lines; what is ignored stays out', async () => {
    expect(await investigate({objective: 'How is retryDelay computed?'})).toEqual({
      method: 'search',
      findings: [
        {
          claim: 'src/retry.ts has retrydelay in 1 line; it defines `export function retryDelay(attempt) {`',
          evidence: ['src/retry.ts:1'],
        },
        {claim: 'src/use.ts has retrydelay in 2 lines', evidence: ['src/use.ts:1', 'src/use.ts:2']},
      ],
      gaps: ['"computed" does not occur', 'Words were searched, nothing was understood: read the evidence before you rely on it.'],
      confidence: 'medium',
      searched: ['"retrydelay" in all files', '"computed" in all files'],
      turnsUsed: 1,
      toolCalls: 3,
    });
  });
  it('a file that is named after a word is a finding', async () => {
    expect((await investigate({objective: 'retry'})).findings[0]).toEqual({
      claim: 'src/retry.ts has retry in 1 line; it defines `export function retryDelay(attempt) {`',
      evidence: ['src/retry.ts:1'],
    });
  });
  it('"max_tool_calls": no more searches than that', async () => {
    expect(await investigate({objective: 'retryDelay attempt nothing', max_tool_calls: 2})).toMatchObject({
      toolCalls: 2,
      searched: {length: 2},
    });
  });
  it('finding nothing is told, not filled up', async () => {
    expect(await investigate({objective: 'zebra'})).toMatchObject({findings: [], confidence: 'none', searched: ['"zebra" in all files']});
    expect(await investigate({objective: '?'})).toMatchObject({findings: [], gaps: ['The objective has no word to search for.']});
  });
  it('"cancel_after_ms": a search that does not end is given up', async () => {
    const stuck = {grep: () => new Promise(() => undefined), files: () => new Promise(() => undefined)} as unknown as SearchEngine;
    expect(await investigate({objective: 'retry', cancel_after_ms: 20}, {search: stuck})).toMatchObject({code: 'TIMEOUT'});
  });
});

describe('zblade tool calls › codebase_investigator by a subagent', () => {
  it('the read-only profile is asked within the limits, its JSON is the result', async () => {
    const asked: AgentRequest[] = [];
    const runner = agents((request) => {
      asked.push(request);
      return 'Here: {"findings": [{"claim": "A", "evidence": ["a.ts:1"]}, {"claim": "B", "evidence": ["b.ts:2"]}], "gaps": ["C"]}';
    });
    const result = await investigate({objective: 'retry', scope: ['src/**'], max_turns: 99}, {agents: runner});
    expect(asked.map(({profile, maxTurns, maxToolCalls}) => [profile, maxTurns, maxToolCalls])).toEqual([['explore', 16, 40]]);
    expect(asked[0]?.task).toContain('Look only at files that match: src/**.');
    expect(result).toEqual({
      method: 'agent',
      findings: [
        {claim: 'A', evidence: ['a.ts:1']},
        {claim: 'B', evidence: ['b.ts:2']},
      ],
      gaps: ['C'],
      confidence: 'high',
      searched: ['src/**'],
      turnsUsed: 3,
      toolCalls: 1,
    });
  });
  it('plain words are one claim with the places in them; a subagent that was stopped is worth less', async () => {
    const result = await investigate({objective: 'retry'}, {agents: agents(() => 'It is in src/retry.ts:1 and src/use.ts:2.', false)});
    expect(result).toMatchObject({
      findings: [{evidence: ['src/retry.ts:1', 'src/use.ts:2']}],
      gaps: ['The subagent was stopped before it was done.'],
      confidence: 'low',
    });
  });
  it('where no subagent may be started, or it was stopped without evidence, words are searched', async () => {
    expect((await investigate({objective: 'retry'}, {agents: agents(() => 'Stopped: no more turns.', false)})).method).toBe('search');
    const refused = agents(() => new FettleError({code: 'LIMIT', message: 'no further agents'}));
    expect((await investigate({objective: 'retry'}, {agents: refused})).method).toBe('search');
    expect((await investigate({objective: 'retry'}, {agents: {...refused, profiles: []}})).method).toBe('search');
  });
});

describe('keywords of an objective', () => {
  it('names of code first, no filler, each once', () => {
    expect(keywordsOf('Where does the openThread function load session_log, and why does openThread do it?')).toEqual([
      'openthread',
      'session_log',
      'function',
      'load',
    ]);
  });
});
