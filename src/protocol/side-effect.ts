/**
 * The effect of running a tool; schedulers and policies use this, never the name. pure: nothing outside the process · read · write: files ·
 * execute: a program · network · interact: a person is asked.
 */
export type SideEffect = 'pure' | 'read' | 'write' | 'execute' | 'network' | 'interact';

/** True if two calls may run at the same time and plan mode allows the call. */
export function isReadOnly(effect: SideEffect): boolean {
  return effect === 'pure' || effect === 'read';
}
