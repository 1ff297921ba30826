import {visibleText} from '../../../../base/visible-text.ts';
import type {ServerPlace} from '../../../../mcp/connection/server-place.ts';
import type {ServerChange} from '../../../../mcp/trust/review-server.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import type {SessionSettings} from '../../../../sdk/settings/session-settings.ts';
import {VERSION} from '../../../../sdk/version.ts';
import {configuredServer} from '../../configured-server.ts';
import {confirm} from '../../confirm.ts';
import {listenForInterrupts} from '../../interrupt.ts';
import type {Io} from '../../io.ts';
import {settingsFor} from '../../settings-for.ts';

/** `fettle mcp test NAME`: starts one server and reports the result; accepts nothing. Throws the error that keeps it from working. */
export async function testServer(io: Io, name: string): Promise<number> {
  const session = await settingsFor(io, {});
  const server = configuredServer(session.settings.mcp_servers, name);
  const [{testConnection}, {promptUsage}] = await Promise.all([
    import('../../../../mcp/trust/test-connection.ts'),
    import('../../../../mcp/tools/prompts.ts'),
  ]);
  const interrupts = listenForInterrupts(() => undefined);
  try {
    const {tested, changes} = await testConnection(server, placeOf(session), interrupts.signal());
    if (tested !== undefined) {
      const {about, offers, tools, prompts, notices} = tested;
      io.note(`${name}: ${visibleText(about.server) || 'a server without a name'}, protocol ${visibleText(about.protocol)}`);
      for (const notice of notices) io.note(visibleText(notice));
      for (const tool of tools) io.shown(`${tool.name}  ${visibleText(tool.description.split('\n', 1)[0] ?? '')}\n`);
      for (const prompt of prompts) io.shown(`/${visibleText(promptUsage(prompt))}  ${visibleText(prompt.description)}\n`);
      if (offers.resources) io.note('It has resources: the tool mcp_resources lists and reads them.');
    }
    if (changes.length === 0) return EXIT.done;
    await showChanges(io, name, changes);
    return EXIT.blocked;
  } finally {
    interrupts.dispose();
  }
}

/** `fettle mcp accept NAME`: shows the changes, and stores them as accepted; a person at the terminal is asked first. */
export async function acceptChanges(io: Io, name: string): Promise<number> {
  const session = await settingsFor(io, {});
  const server = configuredServer(session.settings.mcp_servers, name);
  const {acceptServer} = await import('../../../../mcp/trust/accept-server.ts');
  const interrupts = listenForInterrupts(() => undefined);
  const signal = interrupts.signal();
  let shown = 0;
  const accepts = async (changes: readonly ServerChange[]): Promise<boolean> => {
    shown += changes.length;
    await showChanges(io, name, changes);
    return io.interactive ? await confirm('Accept this? [y]es, [n]o: ', signal) : true;
  };
  try {
    const {open, notices} = await acceptServer({server, place: placeOf(session), accepts}, signal);
    for (const notice of notices) io.note(visibleText(notice));
    if (open.length === 0) io.note(shown === 0 ? `${name}: nothing has changed.` : `${name}: accepted.`);
    else io.note(`${name}: not accepted.`);
    return open.length === 0 ? EXIT.done : EXIT.denied;
  } finally {
    interrupts.dispose();
  }
}

async function showChanges(io: Io, name: string, changes: readonly ServerChange[]): Promise<void> {
  const {changesText} = await import('../../../../mcp/trust/accept-changes.ts');
  io.note(`${name} is not as it was accepted:`);
  io.note(changesText(changes));
}

function placeOf({env, cwd, paths}: SessionSettings): ServerPlace {
  return {env, cwd, stateDir: paths.stateDir, version: VERSION};
}
