import {join} from 'node:path';
import type {SandboxRules} from '../sandbox.ts';

export interface ProfileFacts extends Pick<SandboxRules, 'root' | 'profile' | 'writable' | 'hidden' | 'visible' | 'network'> {
  /** Read-only paths, relative to the root; they need not exist. */
  readonly locked: readonly string[];
  readonly scratchDir: string;
  /** The port of each proxy on the loopback; none: nothing but the loopback between commands. */
  readonly ports: readonly number[];
}

/**
 * The profile for `sandbox-exec` (Apple Sandbox Guide v1.0, 4): everything may be read except hidden paths, and
 * only the listed paths may be written. The last matching rule decides. Paths are real paths: `/private/tmp`,
 * not `/tmp`.
 */
export function seatbeltProfile({root, profile, writable, hidden, visible, network, locked, scratchDir, ports}: ProfileFacts): string {
  const folders = profile === 'read-only' ? [scratchDir] : [root, ...writable, scratchDir];
  const kept = profile === 'read-only' ? [] : locked.map((path) => join(root, path));
  return [
    '(version 1)',
    '(allow default)',
    ';; other programs',
    '(deny mach-register)',
    '(deny appleevent-send)',
    '(deny mach-lookup (global-name "com.apple.securityd.xpc") (global-name "com.apple.SecurityServer") (global-name "com.apple.pasteboard.1"))',
    '(deny process-info* (target others))',
    '(deny signal (target others))',
    '(allow signal (target same-sandbox))',
    ';; files',
    ...rule('deny file-read* file-write*', hidden.map(below)),
    '(deny file-write*)',
    ...rule('allow file-read*', [root, ...visible, scratchDir].map(below)),
    ...rule('allow file-write*', [...folders.map(below), ...DEVICES.map(literal), '(regex #"^/dev/ttys[0-9]+$")']),
    ...rule('deny file-read* file-write*', hidden.filter((path) => path.startsWith(`${root}/`)).map(below)),
    ...rule('deny file-write*', kept.map(below)),
    // A folder above a protected path cannot be moved away with it.
    ...rule('deny file-write-unlink', [...new Set(kept.flatMap((path) => parentsOf(path, root)))].map(literal)),
    ';; network',
    ...(network.open ? ['(deny network-outbound (remote unix-socket))'] : ['(deny network*)', ...loopback(ports)]),
  ].join('\n');
}

const DEVICES = ['/dev/null', '/dev/zero', '/dev/tty', '/dev/stdout', '/dev/stderr', '/dev/ptmx', '/dev/dtracehelper'];

/** Without ports, commands cannot reach servers on this machine: they share its loopback with other programs. */
function loopback(ports: readonly number[]): string[] {
  return ports.map((port) => `(allow network-outbound (remote ip "localhost:${port}"))`);
}

function rule(action: string, filters: readonly string[]): string[] {
  return filters.length === 0 ? [] : [`(${action}`, ...filters.map((filter) => `  ${filter}`), ')'];
}

function below(path: string): string {
  return `(subpath ${quoted(path)})`;
}

function literal(path: string): string {
  return `(literal ${quoted(path)})`;
}

function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

function parentsOf(path: string, root: string): string[] {
  const names = path.slice(root.length + 1).split('/');
  return names.slice(0, -1).map((_, index) => join(root, ...names.slice(0, index + 1)));
}
