import type {ChildOrder} from '../../agent/delegation/live-child.ts';
import type {Meter} from '../../agent/meter.ts';
import type {CallScope} from '../../agent/tool-calls.ts';
import type {LoadedInstructions} from '../../context/instructions/load-instructions.ts';
import type {Provider} from '../../models/provider.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {DispatcherOptions} from '../../tools/dispatch/dispatch.ts';
import type {Delegation} from './open-delegation.ts';

/** The parts of a thread that its subagents share or are limited by. */
export interface SubagentsOptions {
  readonly delegation: Delegation;
  readonly provider: Provider;
  /** Absolute. */
  readonly folder: string;
  /** Instructions of the thread: subagents follow them, too. */
  readonly instructions: LoadedInstructions;
  /** The meter of the thread that starts subagents: their usage counts there. */
  readonly meter: Meter;
  readonly now: () => number;
  readonly emit: (event: ThreadEvent) => void;
  readonly scope: Pick<CallScope, 'turnId' | 'refuse'>;
  /** The dispatcher of the thread: subagents share its permissions, and its rule that a person is asked one question at a time. */
  readonly dispatcher: Omit<DispatcherOptions, 'listener'>;
}

/** The options, the order and the model of one subagent. */
export interface ChildParts {
  readonly options: SubagentsOptions;
  readonly order: ChildOrder;
  readonly provider: Provider;
}
