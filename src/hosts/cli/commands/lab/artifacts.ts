import {constants} from 'node:fs';
import {copyFile, mkdir} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {systemErrorCode} from '../../../../base/errors.ts';
import type {RolloutKey} from '../../../../lab/rollout/rollout.ts';
import type {RolloutArtifacts} from '../../../../lab/rollout/rollout-request.ts';
import {scratchName} from '../../../../lab/rollout/place/scratch-place.ts';
import type {RunFolder} from '../../../../lab/run/run-folder.ts';

/** The artefacts of a run, in its folder. */
export function artifactsIn({folder}: RunFolder): (key: RolloutKey) => RolloutArtifacts {
  return (key) => {
    const own = join(folder, 'artifacts', scratchName(key));
    return {
      async put(name, file) {
        const target = join(own, name);
        await mkdir(dirname(target), {recursive: true, mode: 0o700});
        await copyFile(file, target, constants.COPYFILE_FICLONE);
        return target;
      },
      get: async (name, file) =>
        await copyFile(join(own, name), file).then(
          () => true,
          (thrown: unknown) => {
            if (systemErrorCode(thrown) === 'ENOENT') return false;
            throw thrown;
          },
        ),
    };
  };
}
