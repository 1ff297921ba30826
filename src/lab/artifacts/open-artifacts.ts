import {access, constants, mkdir} from 'node:fs/promises';
import {dirname, isAbsolute} from 'node:path';
import {FettleError, systemErrorCode} from '../../base/errors.ts';
import type {ArtifactStore} from './artifact-store.ts';
import {openFolderStore} from './folder-store.ts';

/**
 * Opens the store of a place: an absolute folder, or `s3://bucket/prefix?endpoint=https://…&region=…`, with the credentials of the variables that
 * AWS's own tools read. BAD_ARGS for any other place, AUTH without credentials.
 */
export async function openArtifacts(place: string, env: Readonly<Record<string, string | undefined>>): Promise<ArtifactStore> {
  if (isAbsolute(place)) return openFolderStore(place);
  if (!place.startsWith('s3://') || !URL.canParse(place)) throw unknown(place);
  const url = new URL(place);
  if (url.hostname === '') throw unknown(place);
  const [accessKeyId, secretAccessKey] = [env['AWS_ACCESS_KEY_ID'], env['AWS_SECRET_ACCESS_KEY']];
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new FettleError({
      code: 'AUTH',
      message: 'The artefact store needs credentials.',
      hint: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    });
  const region = url.searchParams.get('region') ?? env['AWS_REGION'] ?? 'us-east-1';
  const endpoint = url.searchParams.get('endpoint') ?? env['AWS_ENDPOINT_URL'] ?? `https://s3.${region}.amazonaws.com`;
  if (!/^https?:\/\//.test(endpoint)) throw unknown(place);
  const {openS3Store} = await import('./s3-store.ts');
  return openS3Store({
    bucket: url.hostname,
    prefix: url.pathname.split('/').filter(Boolean).join('/'),
    endpoint: endpoint.replace(/\/+$/, ''),
    region,
    credentials: {accessKeyId, secretAccessKey, sessionToken: env['AWS_SESSION_TOKEN']},
  });
}

/**
 * Checks that a place can be a store before a run begins: each of its rollouts would be paid for, and then fail to keep what it leaves. Makes a folder that
 * is not there. Throws what {@link openArtifacts} throws, and USAGE for a folder that cannot be written.
 */
export async function assertStore(place: string, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  await openArtifacts(place, env);
  if (!isAbsolute(place)) return;
  try {
    await makeFolder(place);
    await access(`${place}/`, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const message = `Artefacts cannot be kept in ${place}: ${systemErrorCode(cause) ?? String(cause)}.`;
    throw new FettleError({code: 'USAGE', message, hint: 'Name a folder that you can write to.', cause});
  }
}

/** Makes a folder and those above it. Node's own recursive form never returns where a parent is there and cannot have folders, as in `/proc`. */
async function makeFolder(folder: string): Promise<void> {
  const make = async (): Promise<unknown> => await mkdir(folder, {mode: 0o700}).catch((thrown: unknown) => thrown);
  const first = await make();
  const isAbove = systemErrorCode(first) === 'ENOENT' && dirname(folder) !== folder;
  if (isAbove) await makeFolder(dirname(folder));
  const last = isAbove ? await make() : first;
  if (last !== undefined && systemErrorCode(last) !== 'EEXIST') throw last;
}

function unknown(place: string): FettleError {
  const hint = 'Use an absolute folder, or s3://bucket/prefix?endpoint=https://host.';
  return new FettleError({code: 'BAD_ARGS', message: `${place} cannot be a store of artefacts.`, hint});
}
