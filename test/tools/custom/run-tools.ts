import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {promisify} from 'node:util';
import type {ToolSchema} from '../../../src/protocol/messages.ts';
import {scratch} from '../../support/scratch.ts';

export interface ToolsReport {
  readonly names: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** Of custom tools only. */
  readonly schemas: readonly ToolSchema[];
  readonly notices: readonly string[];
  readonly results: readonly {
    readonly outcome: string;
    readonly text: string;
    readonly summary: string;
    readonly changes: readonly object[];
  }[];
  readonly output: readonly {readonly stream: string; readonly text: string}[];
}

/** Files below a folder with `home/` (the configuration, its tools) and `work/`; the folder is `<root>` in the report. */
export async function useTools(
  files: Readonly<Record<string, string>>,
  request: {calls?: [string, object][]; toolOptions?: object; flags?: object} = {},
): Promise<ToolsReport> {
  const root = await scratch({'home/config.toml': '', 'work/.keep': '', ...files});
  const {stdout} = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'use-tools.ts'), root, JSON.stringify(request)]);
  return JSON.parse(stdout) as ToolsReport;
}

/** The text of a file with a tool that answers with what it is told; `more` are further properties. */
export function toolFile(answer: string, more = ''): string {
  return `import {defineCustomTool, z} from 'fettle/tools';
export const tool = defineCustomTool({
  description: 'Answers ${answer}.',
  args: z.object({}),
  result: z.object({answer: z.string()}),
  sideEffect: 'pure',
  async run() { return {answer: '${answer}'}; },
  ${more}
});
`;
}
