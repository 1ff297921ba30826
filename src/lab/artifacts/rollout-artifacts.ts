import {readFile, writeFile} from 'node:fs/promises';
import type {ReadArtifact} from '../log/rollout-log.ts';
import type {RolloutKey, RolloutResult} from '../rollout/rollout.ts';
import type {RolloutArtifacts} from '../rollout/rollout-request.ts';
import type {ArtifactStore} from './artifact-store.ts';

/** Returns the artefacts of one rollout in a store, as a rollout keeps and finds them. */
export function artifactsIn(store: ArtifactStore): (key: RolloutKey) => RolloutArtifacts {
  return (key) => ({
    async put(name, content, signal) {
      const bytes = typeof content === 'string' ? await readFile(content, {signal}) : content;
      return await store.put({key, name: storedName(name)}, bytes, signal);
    },
    async get(name, file, signal) {
      const content = await store.get({key, name: storedName(name)}, signal);
      if (content !== undefined) await writeFile(file, content, {mode: 0o600});
      return content !== undefined;
    },
    remove: async (name, signal) => await store.remove({key, name: storedName(name)}, signal),
  });
}

/** Reads artefacts by the places that these results name; undefined for any other place. */
export function artifactReader(store: ArtifactStore, results: readonly RolloutResult[]): ReadArtifact {
  const known = new Map(
    results.flatMap(({key, artifacts}) =>
      Object.entries(artifacts).map(([name, place]) => [place, {key, name: storedName(name)}] as const),
    ),
  );
  return async (place, signal) => {
    const artifact = known.get(place);
    return artifact === undefined ? undefined : await store.get(artifact, signal);
  };
}

/** An artefact of a step is `STEP/diff.patch`; a store has no folders within a rollout. */
function storedName(name: string): string {
  return name.replaceAll('/', '--');
}
