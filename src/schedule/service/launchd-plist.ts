import {DAEMON_WORDS, type ServiceRequest} from './service-request.ts';

export const AGENT_LABEL = 'fettle.schedule';

/** Writes the launchd agent of the daemon (launchd.plist). Its shell reads the file of variables, for which launchd has no key. */
export function launchdPlist({node, launcher, variables, variablesFile, logFile}: ServiceRequest): string {
  const script = `if [ -r "$2" ]; then set -a; . "$2"; set +a; fi; exec "$0" "$1" ${DAEMON_WORDS.join(' ')}`;
  const entries = [
    ['Label', text(AGENT_LABEL)],
    ['ProgramArguments', `<array>${['/bin/sh', '-c', script, node, launcher, variablesFile].map(text).join('')}</array>`],
    [
      'EnvironmentVariables',
      `<dict>${Object.entries(variables)
        .flatMap(([name, value]) => [key(name), text(value)])
        .join('')}</dict>`,
    ],
    ['RunAtLoad', '<true/>'],
    ['KeepAlive', `<dict>${key('SuccessfulExit')}<false/></dict>`],
    ['ThrottleInterval', '<integer>60</integer>'],
    // Runs outlive the daemon.
    ['AbandonProcessGroup', '<true/>'],
    ['StandardErrorPath', text(logFile)],
  ] as const;
  return `${HEAD}<dict>\n${entries.map(([name, value]) => `  ${key(name)}\n  ${value}\n`).join('')}</dict>\n</plist>\n`;
}

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by \`fettle schedule install\`; \`fettle schedule uninstall\` removes it. -->
<plist version="1.0">
`;

function key(name: string): string {
  return `<key>${escaped(name)}</key>`;
}

function text(value: string): string {
  return `<string>${escaped(value)}</string>`;
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
