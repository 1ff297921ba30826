import {isAbsolute} from 'node:path';
import {FettleError} from '../../base/errors.ts';
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
  const [accessKeyId, secretAccessKey] = [env['AWS_ACCESS_KEY_ID'], env['AWS_SECRET_ACCESS_KEY']];
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new FettleError({
      code: 'AUTH',
      message: 'The artefact store needs credentials.',
      hint: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    });
  const region = url.searchParams.get('region') ?? env['AWS_REGION'] ?? 'us-east-1';
  const endpoint = url.searchParams.get('endpoint') ?? env['AWS_ENDPOINT_URL'] ?? `https://s3.${region}.amazonaws.com`;
  if (!/^https?:\/\//.test(endpoint) || url.hostname === '') throw unknown(place);
  const {openS3Store} = await import('./s3-store.ts');
  return openS3Store({
    bucket: url.hostname,
    prefix: url.pathname.split('/').filter(Boolean).join('/'),
    endpoint: endpoint.replace(/\/+$/, ''),
    region,
    credentials: {accessKeyId, secretAccessKey, sessionToken: env['AWS_SESSION_TOKEN']},
  });
}

function unknown(place: string): FettleError {
  const hint = 'Use an absolute folder, or s3://bucket/prefix?endpoint=https://host.';
  return new FettleError({code: 'BAD_ARGS', message: `${place} cannot be a store of artefacts.`, hint});
}
