import {constants} from 'node:fs';
import {lstat, open, readdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {FettleError, systemErrorCode} from '../../base/errors.ts';
import {writePrivateFile} from '../../config/private-file.ts';
import {artifactFolder, checkedName} from './artifact-path.ts';
import {MAX_ARTIFACT_BYTES, type Artifact, type ArtifactStore} from './artifact-store.ts';

/** Keeps artefacts in a folder of the owner alone. What it returns as their places is relative to the folder, which may be moved. */
export function openFolderStore(root: string): ArtifactStore {
  const fileOf = ({key, name}: Artifact): string => join(root, artifactFolder(key), checkedName(name));
  return {
    async put(artifact, content, signal) {
      const file = fileOf(artifact);
      signal.throwIfAborted();
      await writePrivateFile(file, content);
      return `${artifactFolder(artifact.key)}/${artifact.name}`;
    },
    async get(artifact, signal) {
      const file = fileOf(artifact);
      signal.throwIfAborted();
      const {name, maxBytes = MAX_ARTIFACT_BYTES} = artifact;
      return await orUndefined(readBounded(file, {name, maxBytes}));
    },
    async has(artifact, signal) {
      const file = fileOf(artifact);
      signal.throwIfAborted();
      return (await orUndefined(lstat(file)))?.isFile() === true;
    },
    async remove(artifact, signal) {
      const file = fileOf(artifact);
      signal.throwIfAborted();
      await rm(file, {force: true});
    },
    async list(key, signal) {
      signal.throwIfAborted();
      const entries = await orUndefined(readdir(join(root, artifactFolder(key)), {withFileTypes: true}));
      return (entries ?? [])
        .filter((entry) => entry.isFile() && !HALF.test(entry.name))
        .map(({name}) => name)
        .toSorted();
    },
  };
}

async function readBounded(file: string, {name, maxBytes}: {readonly name: string; readonly maxBytes: number}): Promise<Uint8Array> {
  await using handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  const found = await handle.stat();
  if (!found.isFile())
    throw new FettleError({code: 'NOT_A_FILE', message: `The artefact ${name} is not a regular file.`, hint: `Remove ${file}.`});
  if (found.size > maxBytes) throw tooLarge(name, maxBytes);
  return await handle.readFile();
}

export function tooLarge(name: string, maxBytes: number): FettleError {
  const hint = 'Open it where it is stored.';
  return new FettleError({code: 'TOO_LARGE', message: `The artefact ${name} is larger than ${maxBytes} bytes.`, hint});
}

async function orUndefined<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (thrown) {
    if (['ENOENT', 'ENOTDIR'].includes(systemErrorCode(thrown) ?? '')) return undefined;
    throw thrown;
  }
}

/** A file that was being written when its process died. */
const HALF = /\.[0-9a-f]{16}\.tmp$/;
