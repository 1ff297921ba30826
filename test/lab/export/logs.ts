import type {ThreadEvent} from '../../../src/protocol/events.ts';
import type {ReadArtifact} from '../../../src/lab/log/rollout-log.ts';
import type {RolloutResult} from '../../../src/lab/rollout/rollout.ts';
import {encodeLine} from '../../../src/sessions/log-line.ts';
import {answered, callCompleted, frame, logged, output, started, text, turnCompleted, turnStarted, user} from '../../sessions/events.ts';
import {result} from '../report/results.ts';

/** A session in which the model looks, and then says `words`. */
export function session(
  words: string,
  {prompt = 'Fix it.', cwd = '/home/me/scratch/r1'}: {prompt?: string; cwd?: string} = {},
): readonly ThreadEvent[] {
  const call = {id: `look`, name: 'read', arguments: JSON.stringify({path: `${cwd}/a.txt`})};
  return [
    started({cwd}),
    frame(`You work in ${cwd}.`, ['read', 'edit']),
    turnStarted(),
    user(prompt),
    text('r1', 'I look.'),
    callCompleted('r1', call),
    answered('r1'),
    output('r1', call, `The file ${cwd}/a.txt has key sk-ant-api03-${'a1B2'.repeat(20)}.`),
    text('r2', words),
    answered('r2'),
    turnCompleted(),
  ];
}

export function sessionLog(events: readonly ThreadEvent[]): string {
  return logged(events).map(encodeLine).join('');
}

/** An artefact store of texts by their place. */
export function storeOf(texts: Readonly<Record<string, string>>): ReadArtifact {
  return async (place) => {
    const found = texts[place];
    return found === undefined ? undefined : new TextEncoder().encode(found);
  };
}

export interface Tried {
  readonly task: string;
  readonly attempt: number;
  readonly outcome: RolloutResult['outcome'];
  readonly events: readonly ThreadEvent[];
}

/** Results with the logs of their sessions, and the store that has them. */
export function triedRollouts(tried: readonly Tried[]): {readonly results: readonly RolloutResult[]; readonly read: ReadArtifact} {
  const texts: Record<string, string> = {};
  const all = tried.map(({task, attempt, outcome, events}) => {
    const place = `${task}-${attempt}`;
    texts[place] = sessionLog(events);
    return result({key: {task, attempt}, outcome, artifacts: {'session.jsonl': place}});
  });
  return {results: all, read: storeOf(texts)};
}
