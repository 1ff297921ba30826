import {readFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import {defineMiddleware} from 'fettle/tools';

/** What a generator writes is not edited by hand: the next run would take the change away. */
export const keepGenerated = defineMiddleware({
  tools: ['edit', 'write'],
  async before({input, aliases}, {cwd}) {
    const path = pathIn(input, aliases);
    if (path === undefined || !(await isGenerated(resolve(cwd, path)))) return undefined;
    return {deny: `${path} is generated: change its source, and run the generator`};
  },
});

/** Toolsets name the parameter differently; `aliases` leads from any name to the one that is published. */
function pathIn(input: unknown, aliases: Readonly<Record<string, string>>): string | undefined {
  const fields = input as Readonly<Record<string, unknown>>;
  const value = fields[aliases['file_path'] ?? 'path'];
  return typeof value === 'string' ? value : undefined;
}

async function isGenerated(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.slice(0, 1000).includes('@generated');
}
