import {lstat, mkdir, readlink, rm, writeFile} from 'node:fs/promises';
import {dirname, isAbsolute, join} from 'node:path';
import {FettleError, systemErrorCode} from '../../base/errors.ts';
import {AGENT_LABEL, launchdPlist} from './launchd-plist.ts';
import type {ServiceRequest} from './service-request.ts';
import {systemdUnit, UNIT_NAME} from './systemd-unit.ts';

export interface ServicePlace {
  /** As Node names the operating system. */
  readonly platform: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The kind of service that a system has for the programs of a user, its file, and the commands of a person around it. */
export interface UserService {
  readonly file: string;
  /** Links by which the system starts the service; removed with it. */
  readonly links: readonly string[];
  text(request: ServiceRequest): string;
  /** Commands that start the service now and at each login. */
  readonly load: readonly string[];
  /** Commands that end it. */
  readonly unload: readonly string[];
}

/** Returns the service of this system: a systemd user unit on Linux, a launchd agent on macOS. Throws UNAVAILABLE elsewhere. */
export function userService({platform, home, env}: ServicePlace): UserService {
  if (platform === 'darwin') {
    const file = join(home, 'Library', 'LaunchAgents', `${AGENT_LABEL}.plist`);
    const load = [`launchctl bootstrap gui/$(id -u) ${file}`];
    return {file, links: [], text: launchdPlist, load, unload: [`launchctl bootout gui/$(id -u)/${AGENT_LABEL}`]};
  }
  if (platform !== 'linux') {
    const hint = 'Start `fettle schedule daemon` by the means of your system.';
    throw new FettleError({code: 'UNAVAILABLE', message: 'Services of a user are known for Linux (systemd) and macOS (launchd).', hint});
  }
  const own = env['XDG_CONFIG_HOME'];
  const folder = join(own !== undefined && isAbsolute(own) ? own : join(home, '.config'), 'systemd', 'user');
  return {
    file: join(folder, UNIT_NAME),
    links: [join(folder, 'default.target.wants', UNIT_NAME)],
    text: systemdUnit,
    load: ['systemctl --user daemon-reload', `systemctl --user enable --now ${UNIT_NAME}`],
    unload: [`systemctl --user stop ${UNIT_NAME}`, 'systemctl --user daemon-reload'],
  };
}

/** Writes the file of the service; loading it is left to the person. Throws UNAVAILABLE where a path has a character that no such file can have. */
export async function writeService({file, text}: UserService, request: ServiceRequest): Promise<void> {
  const all = [request.node, request.launcher, request.variablesFile, request.logFile, ...Object.values(request.variables)];
  if (all.some((value) => CONTROL.test(value))) {
    throw new FettleError({code: 'UNAVAILABLE', message: 'A path or PATH has a control character: no service can be made of it.'});
  }
  await mkdir(dirname(file), {recursive: true});
  await writeFile(file, text(request));
}

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Removes the file of the service and the links that start it. Returns false if there was none. */
export async function removeService({file, links}: UserService): Promise<boolean> {
  const isThere = await lstat(file).then(
    () => true,
    (thrown: unknown) => {
      if (systemErrorCode(thrown) === undefined) throw thrown;
      return false;
    },
  );
  await rm(file, {force: true});
  for (const link of links) if ((await readlink(link).catch(() => undefined)) === file) await rm(link);
  return isThere;
}
