import type {SandboxRules} from './sandbox.ts';

/** One line for the model if a command failed in the way that the sandbox causes; undefined if something else was wrong. */
export function refusalHint({profile, root, writable, network}: SandboxRules, output: string): string | undefined {
  const isWrite = WRITE.test(output);
  const isNetwork = NETWORK.test(output);
  const isCall = CALL.test(output);
  if (!isWrite && !isNetwork && !isCall) return undefined;
  const files =
    profile === 'read-only'
      ? 'only /tmp can be written'
      : `only ${[root, ...writable].join(', ')} and /tmp can be written, not what other programs load there`;
  return `[sandbox: ${[...(isWrite ? [files] : []), ...(isNetwork ? [networkText(network)] : []), ...(isCall ? ['unix sockets, mounts and namespaces are closed'] : [])].join('; ')}. Do not try to get around it: say what is needed.]`;
}

function networkText({open, domains}: SandboxRules['network']): string {
  if (open) return 'the network of the machine is open';
  return domains.length === 0 ? 'there is no network' : `the network ends at ${domains.join(', ')}`;
}

const WRITE = /read-only file system|EROFS|device or resource busy|invalid cross-device link/i;
const CALL = /operation not permitted|EPERM/i;
const NETWORK =
  /network is unreachable|ENETUNREACH|could not resolve|temporary failure in name resolution|name or service not known|EAI_AGAIN|ENOTFOUND|no such host|connection refused|ECONNREFUSED|403 forbidden by the sandbox|unexpected status from proxy|CONNECT tunnel failed|failed to lookup address|dial (?:tcp|udp|unix)/i;
