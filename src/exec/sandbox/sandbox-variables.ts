import type {Variables} from '../variables/child-environment.ts';

interface Surroundings {
  readonly scratchDir: string;
  /** The command has the network of the machine, with its proxies. */
  readonly hasNetwork: boolean;
}

/** Returns the variables of a command in the sandbox: temporary files and caches go where it may write. */
export function sandboxVariables(env: Variables, {scratchDir, hasNetwork}: Surroundings): Variables {
  const kept = Object.entries(env).filter(([name]) => name !== 'XDG_RUNTIME_DIR' && (hasNetwork || !/_proxy$/i.test(name)));
  const caches = {
    XDG_CACHE_HOME: `${scratchDir}/cache`,
    GOCACHE: `${scratchDir}/cache/go-build`,
    npm_config_cache: `${scratchDir}/cache/npm`,
    UV_CACHE_DIR: `${scratchDir}/cache/uv`,
  };
  return {...Object.fromEntries(kept), ...caches, TMPDIR: scratchDir, TMP: scratchDir, TEMP: scratchDir};
}
