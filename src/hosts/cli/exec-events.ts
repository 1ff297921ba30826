import type {ThreadEvent} from '../../protocol/events.ts';
import type {Io} from './io.ts';
import {createProgress} from './progress.ts';
import type {ExecOptions} from './run-options.ts';

/** What happens with the events of a headless run. */
export interface ExecEvents {
  readonly onEvent: (event: ThreadEvent) => void;
  /** The events are the output: stdout takes nothing else. */
  readonly areOutput: boolean;
  /** The run is over, however it ended. */
  end(): void;
}

/** `--json`: the events themselves · `--emit open-responses`: those of Open Responses · else progress for people, on stderr. */
export async function execEvents(io: Io, {json, emit}: Pick<ExecOptions, 'json' | 'emit'>): Promise<ExecEvents> {
  const line = (value: unknown): void => io.data(`${JSON.stringify(value)}\n`);
  if (json === true) return {onEvent: line, areOutput: true, end: nothing};
  if (emit === undefined) return {onEvent: createProgress(io), areOutput: false, end: nothing};
  const {createResponsesEmitter} = await import('../../sessions/export/responses/emitter.ts');
  const emitter = createResponsesEmitter(line);
  return {onEvent: (event) => emitter.take(event, Date.now()), areOutput: true, end: () => emitter.end()};
}

function nothing(): void {
  // Every event stands for itself.
}
