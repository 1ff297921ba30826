// Adds a line to the changelog, in the right section, and remembers what this conversation has added already.
import {readFile, writeFile} from 'node:fs/promises';
import {defineCustomTool, FettleError, z} from 'fettle/tools';

export const changelogEntry = defineCustomTool({
  description: 'Add one line to the section of unreleased changes in the changelog.',
  args: z.object({
    kind: z.enum(['Added', 'Changed', 'Fixed', 'Removed']),
    text: z.string().describe('one sentence for users of the project'),
  }),
  result: z.object({file: z.string(), section: z.string(), entries_in_this_session: z.number()}),
  config: z.object({file: z.string().default('CHANGELOG.md'), heading: z.string().default('## Unreleased')}),
  state: z.object({added: z.array(z.string()).default([])}),
  sideEffect: 'write',
  permissionSubjects: (_args, {file}) => [{path: file, write: true}],
  display: {status: 'Adding to the changelog', call: ({text}) => text},

  async *run({kind, text}, {workspace, config, state}) {
    const entry = `- ${text.trim().replaceAll(/\s+/g, ' ')}`;
    if (state.added.includes(entry)) throw new FettleError({code: 'BAD_ARGS', message: 'This line was added already.'});
    const file = await workspace.resolve(config.file, {scope: 'inside', forWrite: true});
    const before = file.exists ? await readFile(file.path, 'utf8') : '# Changelog\n';
    yield `${kind}: ${entry}\n`;
    await writeFile(file.path, withEntry(before, {heading: config.heading, section: `### ${kind}`, entry}));
    state.added.push(entry);
    return {file: config.file, section: kind, entries_in_this_session: state.added.length};
  },
});

interface Place {
  readonly heading: string;
  readonly section: string;
  readonly entry: string;
}

/** The text with the entry at the end of its section; heading and section are made where they are missing. */
function withEntry(text: string, {heading, section, entry}: Place): string {
  const lines = text.trimEnd().split('\n');
  let top = lines.indexOf(heading);
  if (top < 0) {
    const firstRelease = lines.findIndex((line) => line.startsWith('## '));
    top = firstRelease < 0 ? lines.length + 1 : firstRelease;
    lines.splice(firstRelease < 0 ? lines.length : firstRelease, 0, ...(firstRelease < 0 ? ['', heading] : [heading, '']));
  }
  const end = nextAfter(lines, top, /^## /);
  const start = lines.findIndex((line, index) => index > top && index < end && line === section);
  if (start < 0) lines.splice(lastText(lines, end), 0, '', section, '', entry);
  else lines.splice(lastText(lines, nextAfter(lines, start, /^##/)), 0, entry);
  return `${lines.join('\n')}\n`;
}

function nextAfter(lines: readonly string[], from: number, pattern: RegExp): number {
  const found = lines.findIndex((line, index) => index > from && pattern.test(line));
  return found < 0 ? lines.length : found;
}

/** The place behind the last line before `end` that is not empty. */
function lastText(lines: readonly string[], end: number): number {
  let place = end;
  while (place > 0 && lines[place - 1] === '') place -= 1;
  return place;
}
