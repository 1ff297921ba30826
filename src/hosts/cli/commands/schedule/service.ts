import {dirname, join} from 'node:path';
import {visibleText} from '../../../../base/visible-text.ts';
import {PLATFORM} from '../../../../exec/process/platform.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import {removeService, userService, writeService, type UserService} from '../../../../schedule/service/service-files.ts';
import type {Io} from '../../io.ts';
import {refuseInsideFettle} from '../../refuse-inside-fettle.ts';
import {schedulePlace} from './schedule-place.ts';

/** `fettle schedule install`: writes the daemon as a service of the user, and says how to load it. */
export async function installService(io: Io): Promise<number> {
  refuseInsideFettle(io, {cannot: 'install a service', instead: 'fettle schedule install'});
  const {paths, folders} = schedulePlace(io);
  const service = serviceOf(io);
  const variablesFile = join(paths.configDir, 'schedule.env');
  await writeService(service, {
    node: process.execPath,
    launcher: process.argv[1] ?? '',
    variables: variablesOf(io.env),
    variablesFile,
    logFile: join(dirname(folders.database), 'daemon.log'),
  });
  io.note(visibleText(`Wrote ${service.file}. To start it, now and at each login:`));
  for (const command of service.load) io.data(`${visibleText(command)}\n`);
  if (PLATFORM === 'linux') io.note('On a machine where nobody is logged in, also: loginctl enable-linger');
  io.note(visibleText(`A service does not have the variables of your shell. Keys of models belong in ${variablesFile}`));
  io.note('(NAME=value, one a line, chmod 600); it is read when the service starts.');
  return EXIT.done;
}

/** `fettle schedule uninstall`: removes the service, and says how to end the daemon that runs. */
export async function uninstallService(io: Io): Promise<number> {
  refuseInsideFettle(io, {cannot: 'remove a service', instead: 'fettle schedule uninstall'});
  const service = serviceOf(io);
  if (!(await removeService(service))) {
    io.note(visibleText(`There is no ${service.file}.`));
    return EXIT.done;
  }
  io.note(visibleText(`Removed ${service.file}. To end the daemon that runs:`));
  for (const command of service.unload) io.data(`${visibleText(command)}\n`);
  return EXIT.done;
}

function serviceOf({env, home}: Io): UserService {
  return userService({platform: PLATFORM, env, home});
}

/** Returns the variables that decide where programs and the files of Fettle are. */
function variablesOf(env: Io['env']): Readonly<Record<string, string>> {
  const names = ['PATH', 'FETTLE_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
}
