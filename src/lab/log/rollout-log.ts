import type {RolloutResult} from '../rollout/rollout.ts';
import {ThreadEvent} from '../../protocol/events.ts';
import {decodeLine, type LoggedEvent} from '../../sessions/log-line.ts';

/** Reads a stored artefact by the place that the result names; undefined if it is not there any more. */
export type ReadArtifact = (place: string, signal: AbortSignal) => Promise<Uint8Array | undefined>;

/** One step of a task as a rollout did it: the names of its artefacts. Most tasks have one step, whose name is ''. */
export interface RolloutStep {
  readonly name: string;
  /** By the plain name, such as `diff.patch`: the place in the store. */
  readonly places: Readonly<Record<string, string>>;
}

/** Sorts the artefacts of a rollout by step, in the order of the steps. A name with a step in front is `STEP/diff.patch`. */
export function stepsOfRollout({artifacts, steps}: Pick<RolloutResult, 'artifacts' | 'steps'>): readonly RolloutStep[] {
  const grouped = Map.groupBy(Object.entries(artifacts), ([name]) => (name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : ''));
  const order = new Map(steps.map(({name}, index) => [stepFolder(name), {name, index}]));
  return [...grouped]
    .toSorted(([a], [b]) => (order.get(a)?.index ?? 0) - (order.get(b)?.index ?? 0))
    .map(([folder, entries]) => ({
      name: folder === '' ? '' : (order.get(folder)?.name ?? folder),
      places: Object.fromEntries(entries.map(([path, place]) => [path.slice(path.lastIndexOf('/') + 1), place])),
    }));
}

/** The name of a step as a part of the names of its artefacts. */
export function stepFolder(name: string): string {
  return name.replaceAll(/[^\w.-]/g, '-').replace(/^(?![A-Za-z0-9])/, 'step');
}

/**
 * The events of one step: of its session log where it was kept, since it has the system prompt and the tools, else of the lines of
 * `fettle exec --json`. Lines other than known events are left out.
 */
export async function readStepEvents({places}: RolloutStep, read: ReadArtifact, signal: AbortSignal): Promise<readonly LoggedEvent[]> {
  for (const name of ['session.jsonl', 'events.jsonl']) {
    const place = places[name];
    const bytes = place === undefined ? undefined : await read(place, signal);
    if (bytes !== undefined) return decodeRolloutLog(new TextDecoder().decode(bytes));
  }
  return [];
}

/** The logs of the subagents of a step by their threads, as {@link subagentText} has put them together. */
export async function readSubagents(
  {places}: RolloutStep,
  read: ReadArtifact,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly LoggedEvent[]>> {
  const place = places[SUBAGENTS];
  const bytes = place === undefined ? undefined : await read(place, signal);
  const logs = bytes === undefined ? [] : new TextDecoder().decode(bytes).split(/^(?=\{"subagent":)/m);
  return new Map(
    logs.flatMap((log) => {
      const [, threadId] = /^\{"subagent":"([\w-]+)"\}\n/.exec(log) ?? [];
      return threadId === undefined ? [] : [[threadId, decodeRolloutLog(log)] as const];
    }),
  );
}

/** One text of several session logs: before each a line with its thread. */
export function subagentText(logs: readonly {readonly threadId: string; readonly text: string}[]): string {
  return logs.map(({threadId, text}) => `${JSON.stringify({subagent: threadId})}\n${text.endsWith('\n') ? text : `${text}\n`}`).join('');
}

/** The artefact with the session logs of subagents. */
export const SUBAGENTS = 'subagents.jsonl';

/** Reads lines that are events, or events as a session log has them. */
export function decodeRolloutLog(text: string): readonly LoggedEvent[] {
  return text.split('\n').flatMap((line, index) => {
    const logged = line.startsWith('{"v":') ? decodeLine(line) : decodeLine(`{"v":1,"seq":${index + 1},"ts":"","turn":0,"event":${line}}`);
    return typeof logged === 'string' || !ThreadEvent.safeParse(logged.event).success ? [] : [logged];
  });
}
