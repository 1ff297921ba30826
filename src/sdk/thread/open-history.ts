import {FettleError} from '../../base/errors.ts';
import {newId} from '../../base/ids.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import {createHistory, type History} from '../../sessions/history.ts';
import {findSession} from '../../sessions/session-files.ts';
import {latestSession} from '../../sessions/session-list.ts';
import {createSession, openSession, type Session} from '../../sessions/session-store.ts';
import {createTodoList, type TodoList} from '../../tools/ports/todo-list.ts';
import type {OpenThreadOptions} from './thread-options.ts';

export interface OpenedHistory {
  readonly session: Session;
  readonly history: History;
  /** The task list as a resumed session left it. */
  readonly todos: TodoList;
  readonly notes: readonly string[];
}

/** Returns the id of the thread that is continued, or a new one. Throws NOT_FOUND, NOT_UNIQUE. */
export function threadIdFor({resume, session: {paths, cwd}}: OpenThreadOptions): string {
  const {stateDir} = paths;
  if (resume === undefined) return newId('thr');
  return resume === 'latest' ? newestOf({stateDir, cwd}) : findSession(stateDir, resume.id).threadId;
}

/** Opens the conversation up to now for writing. The caller must close its log. `observers` see every earlier event. */
export async function openThreadHistory(
  {resume, session: {paths}}: OpenThreadOptions,
  threadId: string,
  observers: readonly ((event: ThreadEvent) => void)[],
): Promise<OpenedHistory> {
  const {stateDir} = paths;
  if (resume === undefined)
    return {session: await createSession({stateDir, threadId}), history: createHistory(), todos: createTodoList(), notes: []};
  const session = await openSession(stateDir, threadId, (event) => {
    for (const observe of observers) observe(event);
  });
  return {session, history: session.history, todos: createTodoList(session.todos), notes: session.notes};
}

function newestOf(place: {stateDir: string; cwd: string}): string {
  const newest = latestSession(place);
  if (newest !== undefined) return newest.threadId;
  throw new FettleError({
    code: 'NOT_FOUND',
    message: `No session exists for ${place.cwd}.`,
    hint: '`fettle sessions list --all` shows those of other folders.',
  });
}
