import {mkdir, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {FettleError, systemErrorCode} from '../../../base/errors.ts';
import {fettlePaths} from '../../../config/paths.ts';
import {configTemplate} from '../../../config/template.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import type {Io} from '../io.ts';

/** `fettle init`: the commented configuration file of the user. */
export async function init(io: Io, {force}: {readonly force?: true}): Promise<number> {
  const {configFile} = fettlePaths({env: io.env, home: io.home});
  await mkdir(dirname(configFile), {recursive: true, mode: 0o700});
  try {
    await writeFile(configFile, configTemplate(), {flag: force === true ? 'w' : 'wx', mode: 0o600});
  } catch (cause) {
    if (systemErrorCode(cause) !== 'EEXIST') throw cause;
    throw new FettleError({
      code: 'CONFIG',
      message: `${configFile} exists already.`,
      hint: 'Edit it, or replace it with `fettle init --force`.',
      cause,
    });
  }
  io.data(`${configFile}\n`);
  io.note('Uncomment a model in it, then try it with `fettle models test`.');
  return EXIT.done;
}
