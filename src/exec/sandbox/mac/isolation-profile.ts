import type {IsolationRules} from '../isolation.ts';

/** The profile for `sandbox-exec` that keeps these rules (Apple Sandbox Guide v1.0, 4). The last matching rule decides. */
export function isolationProfile({hidden, visible, writable, network}: Omit<IsolationRules, 'shown' | 'nested'>): string {
  return [
    '(version 1)',
    '(allow default)',
    '(deny mach-register)',
    '(deny appleevent-send)',
    '(deny process-info* (target others))',
    '(deny signal (target others))',
    '(allow signal (target same-sandbox))',
    ...rule('deny file-read* file-write*', hidden),
    '(deny file-write*)',
    ...rule('allow file-read*', [...visible, ...writable]),
    ...rule('allow file-write*', [...writable, '/dev']),
    ...(network ? [] : ['(deny network*)']),
  ].join('\n');
}

function rule(action: string, paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  return [`(${action}`, ...paths.map((path) => `  (subpath "${path.replaceAll(/["\\]/g, String.raw`\$&`)}")`), ')'];
}
