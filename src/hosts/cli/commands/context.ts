import {EXIT} from '../../../protocol/exit-code.ts';
import {loadSettings} from '../../../sdk/settings/load-settings.ts';
import {showContext as readContext, type ContextPart, type ShownContext} from '../../../sdk/sessions/show-context.ts';
import {listenForInterrupts} from '../interrupt.ts';
import type {Io} from '../io.ts';
import {flagsOf, type SettingOptions} from '../command-line/run-options.ts';

/** `fettle context show`: shows what a model would be sent, by source, with tokens. */
export async function showContextCommand(
  io: Io,
  options: SettingOptions & {readonly session?: string; readonly json?: true},
): Promise<number> {
  const session = await loadSettings({cwd: options.cwd ?? io.cwd, env: io.env, home: io.home, flags: flagsOf(options)});
  for (const notice of session.notices) io.note(notice);
  const interrupts = listenForInterrupts(() => io.note('Cancelling. Press Ctrl-C again to end at once.'));
  try {
    const shown = await readContext(session, options.session, interrupts.signal());
    for (const notice of shown.notices) io.note(notice);
    if (options.json === true) io.data(`${JSON.stringify(shown, null, 2)}\n`);
    else io.shown(`${shown.parts.map(partText).join('')}${table(shown)}`);
    return EXIT.done;
  } finally {
    interrupts.dispose();
  }
}

function partText(part: ContextPart): string {
  if (part.kind === 'tool') return '';
  const when = part.kind === 'rule' ? ', when such files are used' : part.always ? '' : ', after the next compaction';
  return `── ${nameOf(part)}: ${count(part.tokens)} tokens${when}\n${part.text}\n\n`;
}

function table({parts, tokens, window, cuts, model}: ShownContext): string {
  const rows = parts.filter(({always}) => always).map((part) => [count(part.tokens), nameOf(part)] as const);
  const total = [count(tokens), 'with every request (an estimate)'] as const;
  const width = Math.max(...[...rows, total].map(([number]) => number.length));
  const shortened = window.compact_at === null ? '' : `, shortened from ${count(window.compact_at)} on`;
  const lines = [
    '── Tokens',
    ...[...rows, total].map(([number, name]) => `${number.padStart(width)}  ${name}`),
    `The window of ${model ?? 'a model'} is ${window.source}${shortened}.`,
    ...cuts.map((cut) => `Left out for its size: ${cut}`),
  ];
  return `${lines.join('\n')}\n`;
}

function nameOf({kind, source}: ContextPart): string {
  return source === undefined ? kind : `${kind} ${source}`;
}

function count(tokens: number): string {
  return tokens.toLocaleString('en');
}
