import type {Subject} from '../decision.ts';

/** Names the subject in a question about a call: a command line as it is, a path with the action on it, a host or an agent. */
export function subjectText(subject: Subject): string {
  if (subject.kind === 'command') return subject.command;
  return subject.kind === 'name' ? subject.name : `${subject.write ? 'write' : 'read'} ${subject.path}`;
}
