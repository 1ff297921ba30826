import {readFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import {defineMiddleware} from 'fettle/tools';

/** What a generator writes is not edited by hand: the next run would take the change away. */
export const keepGenerated = defineMiddleware({
  tools: ['edit', 'write'],
  async before({input, spellings}, {cwd}) {
    const path = pathIn(input, spellings);
    if (path === undefined || !(await isGenerated(resolve(cwd, path)))) return undefined;
    return {deny: `${path} is generated: change its source, and run the generator`};
  },
});

/** Toolsets name the parameter differently; `spellings` leads from any name to the one that is published. */
function pathIn(input: unknown, spellings: Readonly<Record<string, string>>): string | undefined {
  const fields = input as Readonly<Record<string, unknown>>;
  const value = fields[spellings['file_path'] ?? 'path'];
  return typeof value === 'string' ? value : undefined;
}

async function isGenerated(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.slice(0, 1000).includes('@generated');
}
