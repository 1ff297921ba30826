import {randomBytes} from 'node:crypto';
import {link, mkdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {FettleError, systemErrorCode} from '../../base/errors.ts';
import {writePrivateFile} from '../../config/private-file.ts';
import {isOwnFolder, jobFile} from './job-folder.ts';

/** Makes the file of a new job, of which nobody sees a half. Throws USAGE if there is one of this name: it is never replaced. */
export async function createJobFile(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, {recursive: true, mode: 0o700});
  await isOwnFolder(folder);
  const file = jobFile(folder, name);
  const whole = join(folder, `.${randomBytes(8).toString('hex')}.tmp`);
  try {
    await writePrivateFile(whole, text);
    await link(whole, file);
  } catch (thrown) {
    if (systemErrorCode(thrown) !== 'EEXIST') throw thrown;
    const hint = `See it with \`fettle schedule show ${name}\`; take another name, or remove it first.`;
    throw new FettleError({code: 'USAGE', message: `There is a job named ${name} already.`, hint});
  } finally {
    await rm(whole, {force: true});
  }
}

/** Replaces the file of a job as a whole. */
export async function replaceJobFile(folder: string, name: string, text: string): Promise<void> {
  await writePrivateFile(jobFile(folder, name), text);
}

/** Returns false if there is none. */
export async function removeJobFile(folder: string, name: string): Promise<boolean> {
  return await rm(jobFile(folder, name)).then(
    () => true,
    (thrown: unknown) => {
      if (systemErrorCode(thrown) === 'ENOENT') return false;
      throw thrown;
    },
  );
}
