// An agent of one's own: a tool as a value, a function that answers approvals, events as lines. Run it: node embed.ts "PROMPT"
import {readFile} from 'node:fs/promises';
import {createInterface} from 'node:readline/promises';
import {isFettleError, openThread, type ApprovalAnswer, type ApprovalRequest, type ThreadEvent} from 'fettle';
import {defineCustomTool, z} from 'fettle/tools';

const countLines = defineCustomTool({
  name: 'count_lines',
  description: 'Counts the lines of a text file.',
  args: z.object({path: z.string()}),
  result: z.object({lines: z.number()}),
  sideEffect: 'read',
  permissionSubjects: ({path}) => [{path}],
  async run({path}, {workspace, signal}) {
    const file = await workspace.resolve(path, {scope: 'any', forWrite: false});
    return {lines: (await readFile(file.path, {encoding: 'utf8', signal})).split('\n').length - 1};
  },
});

/** Asks on the terminal; without one the answer is no. */
async function approve({toolName, input}: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
  if (!process.stdin.isTTY) return {decision: 'deny', feedback: 'Nobody is there to allow it.'};
  const terminal = createInterface({input: process.stdin, output: process.stderr});
  try {
    const answer = await terminal.question(`${toolName} ${JSON.stringify(input)} - allow it? [y/N] `, {signal});
    return {decision: answer.trim() === 'y' ? 'allow' : 'deny'};
  } finally {
    terminal.close();
  }
}

function show(event: ThreadEvent): void {
  if (event.type === 'permission.resolved') console.log(`- ${event.tool_name}: ${event.decision}`);
  if (event.type === 'item.completed' && event.item.type === 'tool_output')
    console.log(`- ${event.item.tool_name}: ${event.item.summary ?? event.item.status}`);
}

async function main(prompt: string): Promise<void> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const limits = {turns: 20, costUsd: 1, timeMs: 10 * 60_000};
  const options = {cwd: process.cwd(), tools: [countLines], limits, approve, onEvent: show};
  const thread = await openThread(options, stop.signal);
  try {
    const result = await thread.run(prompt, stop.signal);
    console.log(result.outcome === 'success' ? result.text : `${result.outcome}: ${result.message ?? result.text}`);
    process.exitCode = result.outcome === 'success' ? 0 : 1;
    await thread.close(result);
  } finally {
    await thread.close();
  }
}

await main(process.argv[2] ?? 'How long is README.md?').catch((error: unknown) => {
  if (!isFettleError(error)) throw error;
  console.error(`${error.message}\n${error.hint ?? ''}`);
  process.exitCode = 1;
});
