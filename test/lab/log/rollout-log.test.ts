import {describe, expect, it} from 'vitest';
import {decodeRolloutLog, readStepEvents, stepsOfRollout} from '../../../src/lab/log/rollout-log.ts';
import {result} from '../report/results.ts';
import {session, sessionLog, storeOf} from '../export/logs.ts';

const SIGNAL = new AbortController().signal;

describe('the log of a rollout', () => {
  it('is read as a session log or as bare events, without lines that are neither', () => {
    const events = session('Done.');
    const bare = events.map((event) => JSON.stringify(event)).join('\n');
    const torn = `${bare}\nnonsense\n{"type":"unknown.thing"}\n{"type":"turn.started"}\n{"type":"item.comp`;
    expect(decodeRolloutLog(torn).map(({event}) => event)).toEqual(events);
    expect(decodeRolloutLog(sessionLog(events)).map(({event}) => event)).toEqual(events);
    expect(decodeRolloutLog('')).toEqual([]);
  });

  it('is the session log where it was kept, since only it has the prompt of the system and the tools', async () => {
    const store = storeOf({whole: sessionLog(session('Whole.')), bare: JSON.stringify(session('Bare.')[0])});
    const both = {name: '', places: {'events.jsonl': 'bare', 'session.jsonl': 'whole'}};
    expect(await readStepEvents(both, store, SIGNAL)).toHaveLength(11);
    expect(await readStepEvents({name: '', places: {'events.jsonl': 'bare', 'session.jsonl': 'gone'}}, store, SIGNAL)).toHaveLength(1);
    expect(await readStepEvents({name: '', places: {}}, store, SIGNAL)).toEqual([]);
  });

  it('is one for each step, in the order of the steps', () => {
    const steps = ['first', 'then'].map((name) => ({name, reward: 1}));
    const artifacts = {'then/verify.txt': '1', 'first/verify.txt': '2', 'then/diff.patch': '3'};
    expect(stepsOfRollout(result({steps, artifacts}))).toEqual([
      {name: 'first', places: {'verify.txt': '2'}},
      {name: 'then', places: {'verify.txt': '1', 'diff.patch': '3'}},
    ]);
  });
});
