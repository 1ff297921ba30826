import type {ThreadEvent} from '../../../protocol/events.ts';
import type {SessionInfo} from '../host-adapter.ts';

/** What the events of a session say for its status line. */
export interface SessionFacts extends Pick<SessionInfo, 'title' | 'contextTokens' | 'costUsd'> {
  /** A turn was begun: there is something to go on with. */
  readonly isUsed: boolean;
  /** Checkpoints of the turns since `takeCheckpoints` was called last. */
  takeCheckpoints(): readonly string[];
  observe(event: ThreadEvent): void;
}

export function createSessionFacts(): SessionFacts {
  let title: string | undefined;
  let contextTokens: number | undefined;
  let costUsd: number | null = 0;
  let isUsed = false;
  let checkpoints: string[] = [];
  const spend = (cost: number | null): void => void (costUsd = cost === null || costUsd === null ? null : costUsd + cost);
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
    takeCheckpoints: () => checkpoints.splice(0),
    observe(event) {
      if (event.type === 'turn.started') isUsed = true;
      else if (event.type === 'request.completed') {
        spend(event.cost_usd);
        if (event.agent === undefined) contextTokens = event.usage.input_tokens + event.usage.output_tokens;
      } else if (event.type === 'request.failed') spend(event.cost_usd);
      else if (event.type === 'thread.compact_boundary' || event.type === 'thread.rewound') contextTokens = undefined;
      else if (event.type === 'checkpoint.completed' && event.checkpoint_id !== undefined) checkpoints.push(event.checkpoint_id);
      else if (event.type === 'item.completed' && event.item.type === 'user_message' && event.item.origin !== 'harness') {
        title ??= titleOf(event.item.text);
      }
    },
  };
}

function titleOf(text: string): string | undefined {
  const line = text
    .slice(0, 400)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line === '' ? undefined : line.slice(0, 80);
}
