import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import type {Middleware} from '../../tools/custom/define-middleware.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {NO_HOOKS, type SessionHooks} from './thread-hooks.ts';

/** Opens the hooks of a session. Throws CONFIG if one of them cannot be used. Without hooks, this costs two checks of the disk. */
export async function sessionHooks(session: SessionSettings, middleware: readonly Middleware[] = []): Promise<SessionHooks> {
  if (middleware.length === 0 && !(await hasAny(session))) return {notices: [], start: () => NO_HOOKS};
  const {loadHooks} = await import('./load-hooks.ts');
  return await loadHooks(session, middleware);
}

async function hasAny({settings, paths, trust, trusted}: SessionSettings): Promise<boolean> {
  if (Object.keys(settings.hooks).length > 0) return true;
  if (trusted && trust.items.some(({kind}) => kind === 'hook' || kind === 'middleware')) return true;
  const found = await Promise.all(['hooks.json', 'middleware'].map((name) => stat(join(paths.configDir, name)).catch(() => undefined)));
  return found.some((entry) => entry !== undefined);
}
