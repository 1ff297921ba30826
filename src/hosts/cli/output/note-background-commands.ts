import {visibleText} from '../../../base/visible-text.ts';
import type {KeptCommand} from '../../../tools/shells/command-sessions.ts';
import type {Io} from '../io.ts';

/** Says which commands go on after the run: nothing survives in silence. */
export function noteBackgroundCommands(io: Io, kept: readonly KeptCommand[]): void {
  for (const {pid, command, outputFile} of kept) {
    io.note(`Kept running: pid ${pid}: ${visibleText(command).replaceAll('\n', ' ⏎ ')}`);
    io.note(`  its output: ${visibleText(outputFile)}; to end it: kill -- -${pid}`);
  }
}
