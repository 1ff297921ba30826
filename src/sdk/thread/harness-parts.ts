import type {ChildRecord} from '../../agent/delegation/child-record.ts';
import type {Meter} from '../../agent/meter.ts';
import type {SessionMemory} from '../../context/memory/session-memory.ts';
import type {Provider} from '../../models/provider.ts';
import type {Mode} from '../../policy/decision.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {Message} from '../../protocol/messages.ts';
import type {DispatcherOptions} from '../../tools/dispatch/dispatch.ts';
import type {TodoList} from '../../tools/ports/todo-list.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import type {OpenedTools} from '../tools/opened-tools.ts';
import type {OpenThreadOptions} from './thread-options.ts';

/** The parts of a thread on which the end of a run depends. */
export interface HarnessParts {
  readonly session: SessionSettings;
  readonly threadId: string;
  /** True if nobody is there to ask. */
  readonly isHeadless: boolean;
  readonly readOnly: boolean;
  /** Commands that the person has named to verify the run. */
  readonly verify: readonly string[];
  readonly todos: TodoList;
  readonly memory: Pick<SessionMemory, 'envelope'>;
  readonly mode: () => Mode;
  readonly dispatcher: Omit<DispatcherOptions, 'listener'>;
  readonly emit: (event: ThreadEvent) => void;
  readonly sessionFile: string;
  readonly provider: Provider;
  readonly meter: Meter;
  /** The conversation as the model sees it. */
  readonly messages: () => readonly Message[];
  /** The subagents that the thread has had. */
  readonly agents: Pick<ChildRecord, 'freeId'>;
}

type Settled = 'session' | 'threadId' | 'isHeadless' | 'readOnly' | 'verify' | 'mode';

/** Derives the parts of the harness from the options of a thread. */
export function harnessParts(
  options: OpenThreadOptions,
  threadId: string,
  tools: Pick<OpenedTools, 'policy'>,
): Pick<HarnessParts, Settled> {
  const {session, approve, askUser, readOnly = false, verify = []} = options;
  const isHeadless = approve === undefined && askUser === undefined;
  return {session, threadId, isHeadless, readOnly, verify: verify.map((command) => command.trim()), mode: () => tools.policy().mode};
}

/** Returns true if open tasks keep this thread from ending. In the mode `plan` nothing can complete them. */
export function goesOn({session, isHeadless, readOnly, mode}: HarnessParts): boolean {
  const {continuation} = session.settings.harness;
  if (readOnly || continuation === 'off' || mode() === 'plan') return false;
  return continuation === 'all' || mode() === 'full-auto' || (continuation === 'exec' && isHeadless);
}
