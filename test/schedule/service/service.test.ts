import {execFileSync, spawnSync} from 'node:child_process';
import {access, chmod, mkdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {parseDocument} from 'htmlparser2';
import {describe, expect, it} from 'vitest';
import {launchdPlist} from '../../../src/schedule/service/launchd-plist.ts';
import {removeService, userService, writeService} from '../../../src/schedule/service/service-files.ts';
import type {ServiceRequest} from '../../../src/schedule/service/service-request.ts';
import {systemdUnit} from '../../../src/schedule/service/systemd-unit.ts';
import {scratch} from '../../support/scratch.ts';

const REQUEST: ServiceRequest = {
  node: '/opt/node/bin/node',
  launcher: '/usr/local/bin/fettle',
  variables: {PATH: '/usr/local/bin:/usr/bin', FETTLE_HOME: '/home/ann/.fettle'},
  variablesFile: '/home/ann/.config/fettle/schedule.env',
  logFile: '/home/ann/.local/state/fettle/schedule/daemon.log',
};

/** A folder whose name has every character that one of the formats gives a meaning. */
const ODD = `o'dd "x" %h $HOME \\ & <b> é *`;

/** The same without what systemd takes in no path of a program. */
const PROGRAM = 'odd %h $HOME & <b> é *';

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

describe('the systemd unit', () => {
  it('starts the daemon, and again when it fails', () => {
    expect(systemdUnit(REQUEST)).toMatchInlineSnapshot(`
      "# Written by \`fettle schedule install\`; \`fettle schedule uninstall\` removes it.
      [Unit]
      Description=Fettle: scheduled jobs

      [Service]
      ExecStart="/opt/node/bin/node" "/usr/local/bin/fettle" "schedule" "daemon"
      Environment="PATH=/usr/local/bin:/usr/bin"
      Environment="FETTLE_HOME=/home/ann/.fettle"
      EnvironmentFile=-/home/ann/.config/fettle/schedule.env
      KillMode=process
      Restart=on-failure
      RestartSec=10
      RestartPreventExitStatus=2

      [Install]
      WantedBy=default.target
      "
    `);
  });

  it('escapes what has a meaning', () => {
    const lines = systemdUnit({
      ...REQUEST,
      node: `/${PROGRAM}/node`,
      launcher: `/${ODD}/f`,
      variables: {PATH: `/${ODD}`},
      variablesFile: `/${ODD}/e`,
    });
    expect(lines.split('\n').slice(5, 8)).toEqual([
      String.raw`ExecStart="/odd %%h $HOME & <b> é */node" "/o'dd \"x\" %%h $$HOME \\ & <b> é */f" "schedule" "daemon"`,
      String.raw`Environment="PATH=/o'dd \"x\" %%h $HOME \\ & <b> é *"`,
      String.raw`EnvironmentFile=-/o'dd "x" %%h $HOME \\ & <b> é \*/e`,
    ]);
  });

  it.skipIf(!hasSystemd)('is understood by systemd, with odd paths too', async () => {
    const root = await scratch({[`${PROGRAM}/node`]: '#!/bin/sh\n', [`${ODD}/f`]: ''});
    await chmod(join(root, PROGRAM, 'node'), 0o755);
    const file = join(root, 'fettle-schedule.service');
    const text = systemdUnit({
      ...REQUEST,
      node: join(root, PROGRAM, 'node'),
      launcher: join(root, ODD, 'f'),
      variablesFile: join(root, ODD, 'env'),
    });
    const verify = async (unit: string): Promise<string> => {
      await writeFile(file, unit);
      const {stdout, stderr} = spawnSync('systemd-analyze', ['--user', 'verify', file], {
        encoding: 'utf8',
        env: {PATH: process.env['PATH'], HOME: root, XDG_RUNTIME_DIR: root},
      });
      return `${stdout}${stderr}`
        .split('\n')
        .filter((line) => line.includes('fettle-schedule'))
        .join('\n');
    };
    expect(await verify(text)).toBe('');
    expect(await verify(text.replace('%%h', '%h'))).toContain('fettle-schedule.service: Command');
    expect(await verify(text.replace('KillMode=process', 'KillMode=proces'))).toContain('kill mode');
  });

  it('a program that systemd would not start is refused', () => {
    expect(() => systemdUnit({...REQUEST, node: '/a "b"/node'})).toThrow(expect.objectContaining({code: 'UNAVAILABLE'}));
  });
});

/** The value of a property list. */
function plistValue(text: string): unknown {
  const {children} = parseDocument(text, {xmlMode: true});
  const plist = children.find((node) => 'name' in node && node.name === 'plist');
  return valueOf(elements(plist)[0]);
}

type Node = ReturnType<typeof parseDocument>['children'][number];

function elements(node: Node | undefined): Node[] {
  return node !== undefined && 'children' in node ? node.children.filter((child) => 'name' in child) : [];
}

function valueOf(node: Node | undefined): unknown {
  if (node === undefined || !('name' in node)) return undefined;
  const inner = elements(node);
  if (node.name === 'array') return inner.map(valueOf);
  if (node.name === 'dict')
    return Object.fromEntries(inner.flatMap((child, index) => (index % 2 === 0 ? [[textOf(child), valueOf(inner[index + 1])]] : [])));
  if (node.name === 'true' || node.name === 'false') return node.name === 'true';
  return node.name === 'integer' ? Number(textOf(node)) : textOf(node);
}

function textOf(node: Node): string {
  return 'children' in node ? node.children.map((child) => ('data' in child ? child.data : '')).join('') : '';
}

describe('the launchd agent', () => {
  it('has the values that were meant, with odd paths too', () => {
    const odd = {...REQUEST, node: `/${ODD}/node`, launcher: `/${ODD}/f`, variablesFile: `/${ODD}/e`};
    expect(plistValue(launchdPlist(odd))).toEqual({
      Label: 'fettle.schedule',
      ProgramArguments: [
        '/bin/sh',
        '-c',
        'if [ -r "$2" ]; then set -a; . "$2"; set +a; fi; exec "$0" "$1" schedule daemon',
        `/${ODD}/node`,
        `/${ODD}/f`,
        `/${ODD}/e`,
      ],
      EnvironmentVariables: REQUEST.variables,
      RunAtLoad: true,
      KeepAlive: {SuccessfulExit: false},
      ThrottleInterval: 60,
      AbandonProcessGroup: true,
      StandardErrorPath: REQUEST.logFile,
    });
  });

  it('its shell starts the command with the variables of the file, and without the file', async () => {
    const root = await scratch({[`${ODD}/node`]: '#!/bin/sh\necho "$KEY: $@"\n', [`${ODD}/e`]: 'KEY=secret\n'});
    const node = join(root, ODD, 'node');
    await chmod(node, 0o755);
    const run = (variablesFile: string): string => {
      const {
        ProgramArguments: [file = '', ...args],
      } = plistValue(launchdPlist({...REQUEST, node, variablesFile})) as {ProgramArguments: string[]};
      return execFileSync(file, args, {encoding: 'utf8', env: {PATH: process.env['PATH'] ?? ''}});
    };
    expect([run(join(root, ODD, 'e')), run(join(root, 'none'))]).toEqual([
      'secret: /usr/local/bin/fettle schedule daemon\n',
      ': /usr/local/bin/fettle schedule daemon\n',
    ]);
  });
});

describe('the files of the service', () => {
  it.each([
    ['linux', {}, '.config/systemd/user/fettle-schedule.service'],
    ['linux', {XDG_CONFIG_HOME: '/x'}, '/x/systemd/user/fettle-schedule.service'],
    ['linux', {XDG_CONFIG_HOME: 'relative'}, '.config/systemd/user/fettle-schedule.service'],
    ['darwin', {XDG_CONFIG_HOME: '/x'}, 'Library/LaunchAgents/fettle.schedule.plist'],
  ])('on %s with %j: %s', (platform, env, file) => {
    expect(userService({platform, env, home: '/h'}).file).toBe(file.startsWith('/') ? file : `/h/${file}`);
  });

  it('nothing is known elsewhere', () => {
    expect(() => userService({platform: 'freebsd', env: {}, home: '/h'})).toThrow(expect.objectContaining({code: 'UNAVAILABLE'}));
  });

  it('are written and removed, with the link that starts the service', async () => {
    const home = await scratch();
    const service = userService({platform: 'linux', env: {}, home});
    await writeService(service, REQUEST);
    await mkdir(join(home, '.config/systemd/user/default.target.wants'));
    await symlink(service.file, service.links[0] ?? '');
    const text = await readFile(service.file, 'utf8');
    const removed = [await removeService(service), await removeService(service)];
    await expect(access(service.links[0] ?? '')).rejects.toThrow('ENOENT');
    expect([text, removed]).toEqual([systemdUnit(REQUEST), [true, false]]);
  });

  it('a path with a line feed makes none', async () => {
    const service = userService({platform: 'linux', env: {}, home: await scratch()});
    await expect(writeService(service, {...REQUEST, launcher: '/a\nb'})).rejects.toMatchObject({code: 'UNAVAILABLE'});
  });
});
