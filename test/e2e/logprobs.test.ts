import {join} from 'node:path';
import {writeFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {check} from '../checks/atif-check.mjs';
import {sharedFettle} from './shared-process.ts';
import {eventsOf, FORMATS, modelServer, place, type Format} from './support.ts';

const NUMBERS = [-0.25, -1.5, -3];

describe('logprobs = true', {timeout: 60_000}, () => {
  it.each<[Format, string]>(Object.keys(FORMATS).map((format) => [format as Format, format === 'anthropic' ? 'none' : 'told']))(
    '%s: %s, in the log and in the trajectory',
    async (format, told) => {
      const toolCalls = [{name: 'read', arguments: {path: 'a.txt'}}];
      const server = await modelServer(
        [
          {text: 'I read it.', toolCalls, logprobs: NUMBERS},
          {text: 'Done.', logprobs: [-1]},
        ],
        format,
      );
      const at = await place({'a.txt': 'one\n'}, `logprobs = true\n${server.config}`);
      const run = await sharedFettle(at, ['exec', '--json', 'read it']);
      const events = eventsOf(run);
      const lists = told === 'told' ? [NUMBERS, [-1]] : [undefined, undefined];
      expect(events.filter(({type}) => type === 'request.completed').map(({logprobs}) => logprobs)).toEqual(lists);
      expect([run.code, run.stderr.trim(), server.violations]).toEqual([
        0,
        told === 'told' ? '' : 'test/model-1 tells no log probabilities: logprobs = true does nothing for it.',
        [],
      ]);
      const exported = await sharedFettle(at, ['sessions', 'export', String(events[0]?.['thread_id']), '--format', 'atif']);
      const trajectory = JSON.parse(exported.stdout) as {steps: {source: string; metrics?: {logprobs?: number[]}}[]};
      const agentSteps = trajectory.steps.filter(({source}) => source === 'agent');
      expect([check(trajectory), agentSteps.map(({metrics}) => metrics?.logprobs)]).toEqual([[], lists]);
    },
  );

  it('a recorded run replays with them', async () => {
    const server = await modelServer([{text: 'Hi there', logprobs: NUMBERS}]);
    const at = await place({}, `logprobs = true\n${server.config}`);
    const recorded = await sharedFettle(at, ['exec', '--json', 'hello']);
    const id = String(eventsOf(recorded)[0]?.['thread_id']);
    const log = await sharedFettle(at, ['sessions', 'export', id, '--format', 'jsonl']);
    await writeFile(join(at.home, 'log.jsonl'), log.stdout);
    const replayed = await sharedFettle(at, ['exec', '--json', '--model', `replay:${join(at.home, 'log.jsonl')}`, 'hello']);
    expect(eventsOf(replayed).find(({type}) => type === 'request.completed')).toMatchObject({logprobs: NUMBERS});
  });
});
