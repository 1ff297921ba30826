import type {Todo} from '../../tools/ports/todo-list.ts';
import type {ModelWindow} from '../settings/session-settings.ts';
import {earlierEvents, type EarlierEvents} from './earlier-events.ts';
import {toolReasons} from '../optimization/thread-choices.ts';
import type {ChosenOptions} from '../optimization/with-choices.ts';
import type {ThreadParts} from './thread-parts.ts';

/** Views of a thread besides its events. */
export interface ThreadViews {
  /** Returns the newest `most` events that the session already had when it was opened; empty for a new one. */
  earlierEvents(most: number): EarlierEvents;
  /** The current task list. */
  todos(): readonly Todo[];
  /** Returns the session memory, as the model sees it. */
  memory(): Promise<string>;
  /** The plan of the thread; undefined if there is none. */
  plan(): Promise<string | undefined>;
  /** The window of the model. */
  readonly window: ModelWindow;
  /** The model that replies. */
  readonly model: string;
  /** One short line on why `model = "auto"` chose it; undefined if a person named it. */
  readonly modelReason: string | undefined;
  /** One short line each on why a toolset and an edit dialect were chosen automatically. */
  readonly toolReasons: readonly string[];
}

export function threadViews(
  {resume, window, choices}: Pick<ChosenOptions, 'resume' | 'choices'> & {readonly window: ModelWindow},
  {session, todos, memory, tools, provider}: Pick<ThreadParts, 'session' | 'todos' | 'memory' | 'tools' | 'provider'>,
): ThreadViews {
  return {
    earlierEvents: (most) => (resume === undefined ? {events: [], isCut: false} : earlierEvents(session.file, most)),
    todos: todos.read,
    async memory() {
      const {renderMemory} = await import('../../context/memory/render-memory.ts');
      return renderMemory(memory.envelope());
    },
    plan: async () => await tools.dispatcher.context.plan?.read(),
    window,
    model: provider.model,
    modelReason: choices.model?.why,
    toolReasons: toolReasons(choices),
  };
}
