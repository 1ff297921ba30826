import type {StyleName} from '../cells/line.ts';
import type {SessionInfo} from '../host-adapter.ts';

/** A mode in which nobody is asked is highlighted. */
export function modeStyle(mode: string): StyleName {
  return mode === 'full-auto' ? 'warning' : 'accent';
}

/** `sandbox off`, `sandbox workspace-write`; undefined if nothing is known of it. */
export function sandboxText({sandbox}: SessionInfo): string | undefined {
  return sandbox === undefined || sandbox === '' ? undefined : `sandbox ${sandbox}`;
}
