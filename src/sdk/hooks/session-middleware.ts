import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import {FettleError} from '../../base/errors.ts';
import type {ToolMention} from '../../config/tool-mentions.ts';
import type {Middleware} from '../../tools/custom/define-middleware.ts';
import {checkToolNames} from '../settings/check-tool-names.ts';
import {toolFolders} from '../settings/load-settings.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {projectMiddleware} from './trusted-middleware.ts';

/** Returns the middleware of the person, of a trusted project, and of the caller, in this order. */
export async function sessionMiddleware(session: SessionSettings, embedded: readonly Middleware[]): Promise<readonly Middleware[]> {
  const [own, project] = await Promise.all([ownMiddleware(session), projectMiddleware(session)]);
  return [...own, ...project, ...embedded];
}

/** Throws CONFIG for middleware whose tools cannot exist: it was meant as a guard and would guard nothing. */
export async function requireKnownTools(session: SessionSettings, middleware: readonly Middleware[]): Promise<void> {
  const mentions = middleware.flatMap(({name = 'middleware', tools = []}): ToolMention[] =>
    tools.map((text) => ({text, effect: 'deny', source: name, what: `${JSON.stringify(text)} in tools fits nothing`})),
  );
  if (mentions.length === 0) return;
  const {problems} = await checkToolNames(mentions, toolFolders(session, session.settings.tool_paths));
  if (problems.length > 0) throw new FettleError({code: 'CONFIG', message: problems.join('\n'), hint: 'Fix the names in `tools`.'});
}

async function ownMiddleware({paths}: SessionSettings): Promise<readonly Middleware[]> {
  const path = join(paths.configDir, 'middleware');
  if ((await stat(path).catch(() => undefined)) === undefined) return [];
  const {loadMiddleware} = await import('../../tools/custom/load-middleware.ts');
  return await loadMiddleware([{path, from: 'your middleware folder', isExpected: false}]);
}
