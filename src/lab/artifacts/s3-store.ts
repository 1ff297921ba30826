import {hash} from 'node:crypto';
import {AwsClient} from 'aws4fetch';
import {FettleError} from '../../base/errors.ts';
import type {RolloutKey} from '../rollout/rollout.ts';
import {artifactFolder, checkedName} from './artifact-path.ts';
import {MAX_ARTIFACT_BYTES, type Artifact, type ArtifactStore} from './artifact-store.ts';
import {tooLarge} from './folder-store.ts';

export interface S3Place {
  readonly bucket: string;
  /** Before the names of all objects; may be empty. */
  readonly prefix: string;
  /** `https://host`; the bucket is the first part of the path, which every server of this protocol understands. */
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: {readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string | undefined};
}

/** Keeps artefacts in a bucket of S3, or of a server that speaks its protocol (Amazon S3 API reference, Signature Version 4). */
export function openS3Store(place: S3Place): ArtifactStore {
  const bucket = openBucket(place);
  const folderOf = (key: RolloutKey): string => [place.prefix, artifactFolder(key)].filter((part) => part !== '').join('/');
  const pathOf = ({key, name}: Artifact): string => `/${folderOf(key)}/${checkedName(name)}`;
  return {
    async put(artifact, content, signal) {
      const path = pathOf(artifact);
      await expectOk(await bucket('PUT', path, {signal, body: new Uint8Array(content)}), place);
      return `s3://${place.bucket}${path}`;
    },
    async get(artifact, signal) {
      const {name, maxBytes = MAX_ARTIFACT_BYTES} = artifact;
      const response = await bucket('GET', pathOf(artifact), {signal});
      if (await isMissing(response)) return undefined;
      return await readBounded(await expectOk(response, place), {name, maxBytes});
    },
    async has(artifact, signal) {
      const response = await bucket('HEAD', pathOf(artifact), {signal});
      if (response.status === 404) return false;
      await expectOk(response, place);
      return true;
    },
    async remove(artifact, signal) {
      await expectOk(await bucket('DELETE', pathOf(artifact), {signal}), place);
    },
    async list(key, signal) {
      const prefix = `${folderOf(key)}/`;
      const objects: string[] = [];
      for (let isMore = true; isMore;) {
        const query = new URLSearchParams({'list-type': '2', prefix, 'start-after': objects.at(-1) ?? ''}).toString();
        const text = await (await expectOk(await bucket('GET', `?${query}`, {signal}), place)).text();
        // Our names have no character that XML would escape.
        const page = [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, object = '']) => object);
        objects.push(...page);
        isMore = page.length > 0 && /<IsTruncated>true</.test(text);
      }
      return objects.map((object) => object.slice(prefix.length)).toSorted();
    },
  };
}

interface BucketRequest {
  readonly signal: AbortSignal;
  readonly body?: Uint8Array<ArrayBuffer>;
}

/** Returns a function that sends a signed request for a path in the bucket; what fails for a moment is sent again. */
function openBucket(place: S3Place): (method: string, path: string, request: BucketRequest) => Promise<Response> {
  const {sessionToken, ...credentials} = place.credentials;
  const session = sessionToken === undefined ? {} : {sessionToken};
  const client = new AwsClient({...credentials, ...session, service: 's3', region: place.region, retries: RETRIES});
  return async (method, path, {signal, body}) => {
    const headers = {'x-amz-content-sha256': hash('sha256', body ?? '')};
    const init = {method, headers, signal, ...(body === undefined ? {} : {body})};
    try {
      return await client.fetch(`${place.endpoint}/${place.bucket}${path}`, init);
    } catch (cause) {
      if (signal.aborted) throw new FettleError({code: 'CANCELLED', message: 'Cancelled.', cause});
      const hint = 'Check the address of the store and the network.';
      throw new FettleError({code: 'UNAVAILABLE', message: `The artefact store at ${place.endpoint} does not answer.`, hint, cause});
    }
  };
}

/** With growing pauses, some seconds together. */
const RETRIES = 5;

/** An object that is missing, not a bucket. */
async function isMissing(response: Response): Promise<boolean> {
  return response.status === 404 && !(await response.clone().text()).includes('NoSuchBucket');
}

async function expectOk(response: Response, {endpoint, bucket}: S3Place): Promise<Response> {
  if (response.ok) return response;
  const reason = /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? '';
  const isRefused = response.status === 401 || response.status === 403;
  throw new FettleError({
    code: isRefused ? 'AUTH' : 'UNAVAILABLE',
    message: `The artefact store at ${endpoint} answered ${response.status} ${reason}`.trimEnd() + '.',
    hint: isRefused
      ? `Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and that they may use the bucket ${bucket}.`
      : `Check that the bucket ${bucket} exists.`,
  });
}

async function readBounded(response: Response, {name, maxBytes}: {readonly name: string; readonly maxBytes: number}): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(name, maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
