import {isAbsolute, relative, resolve, sep} from 'node:path';
import {FettleError, isFettleError} from '../../base/errors.ts';
import {createExecEnvironment} from '../../exec/create-environment.ts';
import {createSearchEngine} from '../../search/create-engine.ts';
import type {ToolContext} from '../../tools/context.ts';
import {createFileMemory} from '../../tools/file-memory.ts';
import {createTodoList} from '../../tools/ports/todo-list.ts';
import {openWorkspace} from '../../workspace/open-workspace.ts';
import type {Workspace} from '../../workspace/workspace.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {webAccess} from '../settings/web-access.ts';

/** Returns the context in which a call is evaluated: nothing of it runs. */
export async function contextOf(session: SessionSettings, root: string): Promise<ToolContext> {
  return {
    callId: 'check',
    signal: new AbortController().signal,
    workspace: await workspaceAt(root),
    search: createSearchEngine(),
    exec: createExecEnvironment({cwd: session.cwd, spoolDir: session.paths.stateDir, env: session.env}),
    files: createFileMemory(),
    todos: createTodoList(),
    web: webAccess(session, []),
    spoolDir: session.paths.stateDir,
  };
}

/** A folder that does not exist can be evaluated by its name: it contains no links. */
async function workspaceAt(root: string): Promise<Workspace> {
  try {
    return await openWorkspace(root);
  } catch (thrown) {
    if (isFettleError(thrown) && thrown.code === 'NOT_FOUND') return lexicalWorkspace(root);
    throw thrown;
  }
}

function lexicalWorkspace(root: string): Workspace {
  return {
    root,
    async resolve(path, {scope}) {
      const absolute = resolve(root, path);
      const below = relative(root, absolute);
      const inside = below === '' || (below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below));
      if (path === '' || path.includes('\0')) throw new FettleError({code: 'BAD_ARGS', message: 'The path is empty or holds a NUL.'});
      if (!inside && scope === 'inside') throw new FettleError({code: 'OUTSIDE_SCOPE', message: `${path} leads out of the workspace.`});
      return {requested: path, path: absolute, relative: below.split(sep).join('/'), inside, exists: false};
    },
  };
}
