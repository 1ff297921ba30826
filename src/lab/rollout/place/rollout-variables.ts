import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {userHome} from '../../../exec/variables/user-home.ts';
import type {Variables} from '../../../exec/variables/child-environment.ts';
import type {RolloutRequest} from '../rollout-request.ts';
import type {ScratchPlace} from './scratch-place.ts';

/** Variables that every program of a rollout gets besides the harmless ones of the owner. */
export function placeVariables({agent, isolation}: RolloutRequest, place: ScratchPlace, home: string): Variables {
  const temporary = isolation?.canShow === true ? '/tmp' : place.temporary;
  return {HOME: home, TMPDIR: temporary, TMP: temporary, TEMP: temporary, ...toolchains(agent.env)};
}

/** rustup finds its toolchains below HOME, which is another one here. */
function toolchains(env: RolloutRequest['agent']['env']): Variables {
  if (env['RUSTUP_HOME'] !== undefined) return {};
  const folder = join(userHome(env), '.rustup');
  return existsSync(folder) ? {RUSTUP_HOME: folder} : {};
}
