import {basename} from 'node:path';
import {addInstruction, instructionFiles} from '../../../sdk/settings/add-instruction.ts';
import type {ScreenPort} from '../host-adapter.ts';
import type {Conversation} from './conversation.ts';

export interface Keeping {
  readonly conversation: Conversation;
  readonly port: Pick<ScreenPort, 'ask'>;
}

/** Adds a line to the instructions of the project or of the person, whichever they choose; undefined if they leave the question. */
export async function keepLine({conversation, port}: Keeping, line: string, signal: AbortSignal): Promise<string | undefined> {
  const {settings, thread} = conversation;
  const {project, personal} = instructionFiles(settings);
  const places = [
    ...(project === undefined ? [] : [{label: 'This project', description: project, path: project}]),
    {label: 'Only me', description: personal, path: personal},
  ];
  const options = places.map(({label, description}) => ({label, description}));
  let kept = line;
  for (;;) {
    const question = {header: 'Keep', question: `Add "${kept}" to which instructions?`, options, multiple: false};
    const [[chosen = ''] = []] = (await port.ask([question], signal)) ?? [];
    if (chosen === '') return undefined;
    const place = places.find(({label}) => label === chosen);
    if (place !== undefined) {
      await addInstruction(settings, {path: place.path, line: kept});
      thread.tell(`<user_instruction file="${basename(place.path)}">\n${kept}\n</user_instruction>`);
      return `Added to ${place.path}: ${kept}`;
    }
    // Text written in place of a choice is a better line.
    kept = chosen;
  }
}
