import {join} from 'node:path';
import {FettleError} from '../../base/errors.ts';
import {isMiddlewareFile} from '../../config/trust/trust-item.ts';
import type {Middleware} from '../../tools/custom/define-middleware.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {isOther} from '../trust/trusted-tools.ts';

/**
 * The middleware of a trusted project: the files that were digested, digested again right before and right after they are loaded. Throws
 * CONFIG if they changed: a session does not begin without its guards.
 */
export async function projectMiddleware({trust, trusted}: SessionSettings): Promise<readonly Middleware[]> {
  const parts = trusted ? trust.items.filter(({kind}) => kind === 'middleware') : [];
  const files = parts.filter(({path}) => isMiddlewareFile(path));
  if (files.length === 0) return [];
  const look = async (): Promise<void> => {
    for (const part of parts) {
      if (!(await isOther(trust.root, part))) continue;
      const message = `${join(trust.root, part.path)}: changed since it was trusted.`;
      throw new FettleError({code: 'CONFIG', message, hint: '`fettle trust` shows what changed.'});
    }
  };
  await look();
  const {loadMiddleware} = await import('../../tools/custom/load-middleware.ts');
  const loaded = await loadMiddleware(
    files.map(({path}) => ({path: join(trust.root, path), from: 'the middleware of the project', isExpected: true})),
  );
  await look();
  return loaded;
}
