import {jsonText} from '../../../base/json-text.ts';
import type {ThreadEvent} from '../../../protocol/events.ts';
import type {Io} from '../io.ts';
import {createProgress} from './progress.ts';
import type {ExecOptions} from '../command-line/run-options.ts';

/** Takes the events of a headless run. */
export interface ExecEvents {
  readonly onEvent: (event: ThreadEvent) => void;
  /** The events are the output: stdout takes nothing else. */
  readonly areOutput: boolean;
  /** The run is over, however it ended. `answer`: what stdout gets, so that progress does not show it a second time. */
  end(answer?: string): void;
}

/** `--json`: the events themselves · `--emit open-responses`: those of Open Responses · else progress for people, on stderr. */
export async function execEvents(io: Io, {json, emit}: Pick<ExecOptions, 'json' | 'emit'>): Promise<ExecEvents> {
  const line = (value: object): void => io.data(`${jsonText(value)}\n`);
  if (json === true) return {onEvent: line, areOutput: true, end: nothing};
  if (emit === undefined) return {...progressBesideAnswer(createProgress(io)), areOutput: false};
  const {createResponsesEmitter} = await import('../../../sessions/export/responses/emitter.ts');
  const emitter = createResponsesEmitter(line);
  return {onEvent: (event) => emitter.take(event, Date.now()), areOutput: true, end: () => emitter.end()};
}

/** Holds back the newest message of the model until the conversation goes on: the last one is the answer, even if checks follow it. */
function progressBesideAnswer(show: (event: ThreadEvent) => void): Pick<ExecEvents, 'onEvent' | 'end'> {
  let held: MessageEvent | undefined;
  const release = (): void => {
    if (held !== undefined) show(held);
    held = undefined;
  };
  return {
    onEvent(event) {
      if (goesOn(event)) release();
      if (isMessage(event)) held = event;
      else show(event);
    },
    end(answer) {
      if (held?.item.text.trim() !== answer?.trim()) release();
    },
  };
}

/** Checks of the harness, and their commands, are not part of the conversation. */
function goesOn(event: ThreadEvent): boolean {
  if (event.type === 'turn.started') return true;
  return (event.type === 'item.started' || event.type === 'item.completed') && IN_CONVERSATION.has(event.item.type);
}

const IN_CONVERSATION: ReadonlySet<string> = new Set(['agent_message', 'reasoning', 'tool_invocation', 'user_message']);

type MessageEvent = Extract<ThreadEvent, {type: 'item.completed'}> & {
  readonly item: {readonly type: 'agent_message'; readonly text: string};
};

function isMessage(event: ThreadEvent): event is MessageEvent {
  return event.type === 'item.completed' && event.item.type === 'agent_message';
}

function nothing(): void {
  // Every event is independent.
}
