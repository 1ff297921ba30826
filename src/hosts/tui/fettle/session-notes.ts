import {endedTasks} from '../../../schedule/session/answer-request.ts';
import type {Conversation, Ended} from './conversation.ts';

/** Returns notices for the person when a conversation opens. */
export function notesOf({settings, thread}: Conversation): readonly string[] {
  const waiting = thread.waiting();
  const left =
    waiting === 0 ? [] : [`${waiting} typed before ${waiting === 1 ? 'waits: it goes' : 'wait: they go'} to the model with the next task.`];
  return [...settings.notices, ...thread.notes, ...left];
}

/** Describes the commands that outlive a session, and how to continue it. */
export function endLines({thread, facts}: Conversation, ended: Ended): readonly string[] {
  return [...keptLines(ended), ...(facts.isUsed ? [`Resume this session: fettle --resume ${thread.id}`] : [])];
}

/** Tells which commands go on after their session, and which scheduled tasks do not. */
export function keptLines({kept, late, tasks}: Ended): readonly string[] {
  return [
    ...kept.flatMap(({pid, command, outputFile}) => [
      `Kept running: pid ${pid}: ${command.replaceAll('\n', ' ⏎ ')}`,
      `  its output: ${outputFile}; to end it: kill -- -${pid}`,
    ]),
    ...endedTasks(tasks),
    ...late,
  ];
}
