import {join} from 'node:path';
import {writeFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {check} from '../checks/atif-check.mjs';
import {eventsOf, fettle, modelServer, place} from './support.ts';

const REFUSAL = {status: 400, body: {error: {message: "'temperature' is not supported with this model.", param: 'temperature'}}};

describe('temperature = 0.5', {timeout: 60_000}, () => {
  it('is sent, logged, exported and replayed', async () => {
    const server = await modelServer([{text: 'Hi there'}]);
    const at = await place({}, `temperature = 0.5\n${server.config}`);
    const run = await fettle(at, ['exec', '--json', 'hello']);
    const events = eventsOf(run);
    expect([server.requests.map(({body}) => body['temperature']), server.violations]).toEqual([[0.5], []]);
    const completed = (all: typeof events): unknown => all.find(({type}) => type === 'request.completed')?.['temperature'];
    const id = String(events[0]?.['thread_id']);
    const [atif, open, log] = await Promise.all(
      ['atif', 'open-responses', 'jsonl'].map(async (format) => (await fettle(at, ['sessions', 'export', id, '--format', format])).stdout),
    );
    const trajectory = JSON.parse(atif ?? '') as {steps: {source: string; extra?: {temperature?: number}}[]};
    const [step] = trajectory.steps.filter(({source}) => source === 'agent');
    expect([check(trajectory), step?.extra?.temperature, open?.includes('"temperature":0.5')]).toEqual([[], 0.5, true]);
    await writeFile(join(at.home, 'log.jsonl'), log ?? '');
    const replayed = await fettle(at, ['exec', '--json', '--model', `replay:${join(at.home, 'log.jsonl')}`, 'hello']);
    expect([completed(events), completed(eventsOf(replayed))]).toEqual([0.5, 0.5]);
  });

  it('a model that refuses it is asked again without, which is said and logged', async () => {
    const server = await modelServer([REFUSAL, {text: 'Hi there'}]);
    const at = await place({}, `temperature = 0.5\n${server.config}`);
    const run = await fettle(at, ['exec', '--json', 'hello']);
    const message =
      "test did not accept the request (400): 'temperature' is not supported with this model. No temperature is sent from now on. Trying again now.";
    const notes = eventsOf(run).flatMap(({item}) => {
      const {event, message: text} = (item ?? {}) as {event?: string; message?: string};
      return event === 'model_retry' ? [text] : [];
    });
    expect([run.code, server.requests.map(({body}) => body['temperature']), notes]).toEqual([0, [0.5, undefined], [message]]);
  });
});
