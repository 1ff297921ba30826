import type {LanguageServers} from '../../code/servers/language-servers.ts';
import type {Variables} from '../../exec/variables/child-environment.ts';
import type {SessionSettings} from '../settings/session-settings.ts';

export type CodeServers = Omit<LanguageServers, 'running'>;

/**
 * Returns the language servers that a session may use: none if settings say so or the project is untrusted. In a
 * folder that needs no trust, programs inside it are not used. The servers never run in the sandbox, which is
 * for commands that end. Nothing is loaded before the first query.
 */
export function codeServers(
  {settings, trust}: Pick<SessionSettings, 'settings' | 'trust'>,
  {root, env, sandboxed}: {readonly root: string; readonly env: Variables; readonly sandboxed: boolean},
): CodeServers | undefined {
  const {language_servers: which, servers: configured} = settings.code;
  if (which === 'off' || sandboxed || (trust.state !== 'trusted' && trust.state !== 'empty')) return undefined;
  let opened: Promise<LanguageServers> | undefined;
  const open = async (): Promise<LanguageServers> => {
    const [{openLanguageServers}, {KNOWN_SERVERS}] = await Promise.all([
      import('../../code/servers/language-servers.ts'),
      import('../../code/servers/known-servers.table.ts'),
    ]);
    const own = configured.map((server) => ({...server, args: server.args ?? []}));
    return openLanguageServers({root, env, specs: [...own, ...KNOWN_SERVERS], mayRunProject: trust.state === 'trusted'});
  };
  const servers = async (): Promise<LanguageServers> => await (opened ??= open());
  return {
    definitions: async (at, signal) => await (await servers()).definitions(at, signal),
    references: async (at, signal) => await (await servers()).references(at, signal),
    rename: async (at, signal) => await (await servers()).rename(at, signal),
    diagnostics: async (asked, signal) => await (await servers()).diagnostics(asked, signal),
    changed: async (files) => await (await servers()).changed(files),
    close: async () => await (await opened)?.close(),
  };
}
