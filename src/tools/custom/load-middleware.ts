import {realpath} from 'node:fs/promises';
import {basename, dirname, extname} from 'node:path';
import {FettleError, toFettleError} from '../../base/errors.ts';
import {isMiddleware, type Middleware} from './define-middleware.ts';
import {findToolFiles, type ToolPlace} from './find-tool-files.ts';
import {importFile} from './import-file.ts';
import {resolveContractFor} from './resolve-contract.ts';

/**
 * Loads the middleware of these places, in the order of the places and of their files. Throws CONFIG if a file
 * cannot be used: a session does not begin without one of its guards.
 */
export async function loadMiddleware(places: readonly ToolPlace[]): Promise<readonly Middleware[]> {
  const {files, problems} = await findToolFiles(places);
  const folders = await Promise.all(places.map(async ({path}) => await realpath(path).catch(() => path)));
  resolveContractFor([...new Set([...folders, ...files.map((file) => dirname(file))])]);
  const loaded: Middleware[] = [];
  const broken = [...problems];
  for (const file of files) {
    try {
      loaded.push(...(await middlewareOf(file)));
    } catch (thrown) {
      broken.push(`${file}: ${toFettleError(thrown).message}`);
    }
  }
  if (broken.length > 0) throw new FettleError({code: 'CONFIG', message: broken.join('\n'), hint: 'Fix it, or remove the file.'});
  return loaded;
}

async function middlewareOf(file: string): Promise<Middleware[]> {
  const found = [...new Set(Object.values(await importFile(file)).filter(isMiddleware))];
  if (found.length === 0)
    throw new FettleError({code: 'CONFIG', message: 'it exports no middleware: export what defineMiddleware() returns'});
  return found.map((one) => ({...one, name: one.name ?? basename(file, extname(file))}));
}
