import {spawnSync} from 'node:child_process';
import type {WrappedCommand} from '../../../src/exec/sandbox/sandbox.ts';
import {openSandbox} from '../../../src/exec/sandbox/open-sandbox.ts';
import {protectedWrite} from '../../../src/policy/places/protected-paths.ts';
import {RESERVED_NAMES} from '../../../src/sdk/settings/reserved-names.ts';
import {gitPrograms} from '../../../src/sdk/trust/scan-git-config.ts';

// Another Fettle, as far as its sandbox goes. Told by messages what to do; each is answered.
export type Order = {readonly do: 'wrap'; readonly line: string} | {readonly do: 'run'} | {readonly do: 'release'};

const [root = '', stateDir = ''] = process.argv.slice(2);
const sandbox = await openSandbox({
  profile: 'workspace-write',
  root,
  writable: [],
  hidden: [stateDir],
  visible: [],
  autoloaded: (path) => protectedWrite(path) !== undefined,
  reserved: RESERVED_NAMES,
  gitPrograms,
  network: {open: false, domains: [], isPublic: () => true},
  stateDir,
});
let command: WrappedCommand | undefined;

process.on('message', (order: Order) => void carryOut(order).then((answer) => process.send?.(answer)));
process.on('disconnect', () => void sandbox.close().then(() => process.exit()));
process.send?.('ready');

async function carryOut(order: Order): Promise<unknown> {
  if (order.do === 'wrap') {
    command = await sandbox.wrap({program: '/bin/bash', args: ['--norc', '-c', order.line]}, {cwd: root, env: {PATH: '/usr/bin:/bin'}});
    return 'wrapped';
  }
  if (command === undefined) return 'no command';
  if (order.do === 'release') return await command.release();
  const {stdout, stderr} = spawnSync(command.program, [...command.args], {env: {...command.env}, encoding: 'utf8'});
  return stdout + stderr;
}
