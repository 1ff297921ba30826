import {FettleError} from '../../base/errors.ts';
import {DAEMON_WORDS, type ServiceRequest} from './service-request.ts';

export const UNIT_NAME = 'fettle-schedule.service';

/**
 * Writes the systemd user unit of the daemon (systemd.service, systemd.exec, systemd.syntax). Runs outlive the daemon: KillMode=process. A
 * second daemon, which ends with 2, is not started again and again. Throws UNAVAILABLE for a path of Node that systemd refuses.
 */
export function systemdUnit({node, launcher, variables, variablesFile}: ServiceRequest): string {
  if (/["'\\]/.test(node)) {
    const hint = 'Install Node in another folder, or start `fettle schedule daemon` yourself.';
    throw new FettleError({code: 'UNAVAILABLE', message: `systemd starts no program whose path has quotes or backslashes: ${node}`, hint});
  }
  const lines = [
    '# Written by `fettle schedule install`; `fettle schedule uninstall` removes it.',
    '[Unit]',
    'Description=Fettle: scheduled jobs',
    '',
    '[Service]',
    `ExecStart=${[quoted(node), ...[launcher, ...DAEMON_WORDS].map(argument)].join(' ')}`,
    ...Object.entries(variables).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
    `EnvironmentFile=-${pattern(variablesFile)}`,
    'KillMode=process',
    'Restart=on-failure',
    'RestartSec=10',
    'RestartPreventExitStatus=2',
    '',
    '[Install]',
    'WantedBy=default.target',
  ];
  return `${lines.join('\n')}\n`;
}

/** A word in double quotes: C escapes, and `%%` for the sign of specifiers. */
function quoted(word: string): string {
  const escaped = word.replaceAll('%', '%%').replaceAll(/[\\"\n\t\r]/g, (char) => ESCAPES[char] ?? char);
  return `"${escaped}"`;
}

const ESCAPES: Readonly<Record<string, string>> = {'\\': '\\\\', '"': '\\"', '\n': '\\n', '\t': '\\t', '\r': '\\r'};

/** In arguments, but not in the path of the program, `$` begins a variable. */
function argument(word: string): string {
  return quoted(word).replaceAll('$', () => '$$');
}

/** A path that is read as a glob, to its end of line and without quotes. */
function pattern(path: string): string {
  return path.replaceAll('%', '%%').replaceAll(/[\\*?[]/g, (char) => `\\${char}`);
}
