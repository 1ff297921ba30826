import {join} from 'node:path';
import {FettleError} from '../../base/errors.ts';
import {parseJson, type Json} from '../../base/json.ts';
import {readIfThere} from '../../config/config-file.ts';
import {trustItemText} from '../../config/trust/trust-item.ts';
import {readHooks, type Hook, type ReadHooks} from '../../agent/hooks/read-hooks.ts';
import {checkToolNames} from '../settings/check-tool-names.ts';
import {toolFolders} from '../settings/load-settings.ts';
import type {SessionSettings} from '../settings/session-settings.ts';

export interface FoundHooks {
  readonly hooks: readonly Hook[];
  /** Notices for the user, one line each. */
  readonly notices: readonly string[];
}

/**
 * Reads the hooks of a session: from the settings, from `hooks.json` beside them, and from a trusted project, in
 * this order. The hooks of a project are the trusted bytes, never read again. Throws CONFIG for an invalid hook,
 * because leaving it out could remove a guard.
 */
export async function readHookFiles(session: SessionSettings): Promise<FoundHooks> {
  const {settings, paths, trust, trusted} = session;
  const own = join(paths.configDir, 'hooks.json');
  const bytes = await readIfThere(own);
  const project = trusted ? trust.items.filter(({kind, path}) => kind === 'hook' && HOOK_FILE.test(path)) : [];
  const read: Read[] = [
    {place: paths.configFile, ...readHooks(settings.hooks as unknown as Json, 'user')},
    ...(bytes === undefined ? [] : [{place: own, ...readHooks(parseJson(new TextDecoder().decode(bytes)), 'user')}]),
  ];
  for (const item of project) {
    const place = join(trust.root, item.path);
    read.push({place, ...readHooks(await tableOf(item.path, trustItemText(item), item.bytes), 'project')});
  }
  const labelled = (pick: 'problems' | 'notices'): string[] => read.flatMap((one) => one[pick].map((line) => `${one.place}: ${line}`));
  const mentions = read.flatMap((one) =>
    one.mentions.map(({text, effect, at}) => {
      const shown = JSON.stringify(text.replace(/^re:/, ''));
      return {text, effect, source: `${one.place}: ${at}`, what: `the matcher ${shown} fits nothing`};
    }),
  );
  const named = mentions.length === 0 ? undefined : await checkToolNames(mentions, toolFolders(session, settings.tool_paths));
  const problems = [...labelled('problems'), ...(named?.problems ?? [])];
  if (problems.length > 0) throw new FettleError({code: 'CONFIG', message: problems.join('\n'), hint: 'See docs/guide/hooks.md.'});
  return {hooks: read.flatMap(({hooks}) => hooks), notices: [...labelled('notices'), ...(named?.warnings ?? [])]};
}

type Read = ReadHooks & {readonly place: string};

const HOOK_FILE = /^\.fettle\/hooks\.(?:json|toml)$/;

async function tableOf(path: string, text: string, bytes: Uint8Array): Promise<Json | undefined> {
  if (path.endsWith('.json')) return parseJson(text);
  const {parseToml} = await import('../../config/parse-toml.ts');
  const parsed = parseToml(bytes);
  return parsed.ok ? parsed.value : undefined;
}
