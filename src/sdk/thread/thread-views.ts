import type {Todo} from '../../tools/ports/todo-list.ts';
import type {ModelWindow} from '../settings/session-settings.ts';
import {earlierEvents, type EarlierEvents} from './earlier-events.ts';
import type {OpenThreadOptions} from './thread-options.ts';
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
}

export function threadViews(
  {resume, window}: Pick<OpenThreadOptions, 'resume'> & {readonly window: ModelWindow},
  {session, todos, memory, tools}: Pick<ThreadParts, 'session' | 'todos' | 'memory' | 'tools'>,
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
  };
}
