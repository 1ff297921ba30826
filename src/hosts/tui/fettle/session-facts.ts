import type {ThreadEvent} from '../../../protocol/events.ts';
import {addUsage, NO_USAGE, type Usage} from '../../../protocol/usage.ts';
import type {SessionInfo} from '../host-adapter.ts';

/** Facts from the events of a session for its status line. */
export interface SessionFacts extends Pick<SessionInfo, 'title' | 'contextTokens' | 'costUsd'> {
  /** A turn was begun: there is something to go on with. */
  readonly isUsed: boolean;
  /** Checkpoints of the turns since `takeCheckpoints` was called last. */
  takeCheckpoints(): readonly string[];
  /** Tokens used by the requests. */
  readonly usage: Usage;
  observe(event: ThreadEvent): void;
}

export function createSessionFacts(): SessionFacts {
  let title: string | undefined;
  let contextTokens: number | undefined;
  let costUsd: number | null = 0;
  let isUsed = false;
  let usage = NO_USAGE;
  const checkpoints: string[] = [];
  const charge = ({cost_usd: cost, usage: used}: {readonly cost_usd: number | null; readonly usage: Usage}): void => {
    costUsd = cost === null || costUsd === null ? null : costUsd + cost;
    usage = addUsage(usage, used);
  };
  return {
    get title() {
      return title;
    },
    get contextTokens() {
      return contextTokens;
    },
    get costUsd() {
      return costUsd;
    },
    get isUsed() {
      return isUsed;
    },
    get usage() {
      return usage;
    },
    takeCheckpoints: () => checkpoints.splice(0),
    observe(event) {
      if (event.type === 'turn.started') isUsed = true;
      if (event.type === 'request.completed' || event.type === 'request.failed') charge(event);
      if (event.type === 'request.completed' && event.agent === undefined) {
        contextTokens = event.usage.input_tokens + event.usage.output_tokens;
      }
      if (event.type === 'thread.compact_boundary' || event.type === 'thread.rewound') contextTokens = undefined;
      if (event.type === 'checkpoint.completed' && event.checkpoint_id !== undefined) checkpoints.push(event.checkpoint_id);
      title ??= titleIn(event);
    },
  };
}

function titleIn(event: ThreadEvent): string | undefined {
  if (event.type !== 'item.completed' || event.item.type !== 'user_message' || event.item.origin === 'harness') return undefined;
  return titleOf(event.item.text);
}

function titleOf(text: string): string | undefined {
  const line = text
    .slice(0, 400)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line === '' ? undefined : line.slice(0, 80);
}
