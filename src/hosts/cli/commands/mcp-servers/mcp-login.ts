import {visibleText} from '../../../../base/visible-text.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import {loadSettings} from '../../../../sdk/settings/load-settings.ts';
import {VERSION} from '../../../../sdk/version.ts';
import {configuredServer} from '../../configured-server.ts';
import {listenForInterrupts} from '../../interrupt.ts';
import type {Io} from '../../io.ts';
import {openPage} from '../../open-page.ts';

/** `fettle mcp login NAME`: shows the page of the login, opens it where a person is at the terminal, and waits for the answer. */
export async function loginToServer(io: Io, name: string): Promise<number> {
  const session = await loadSettings(io);
  const server = configuredServer(session.settings.mcp_servers, name);
  const {login} = await import('../../../../mcp/oauth/login.ts');
  const interrupts = listenForInterrupts(() => undefined);
  const visit = async (address: URL): Promise<void> => {
    io.note(`The login is at ${address.host}. In a browser on this machine, open:\n${visibleText(address.href)}`);
    if (io.interactive) await openPage(address, io.env);
  };
  try {
    const place = {env: session.env, cwd: session.cwd, stateDir: session.paths.stateDir, version: VERSION};
    const {issuer, scope} = await login({server, place, visit}, interrupts.signal());
    io.note(`${name}: logged in at ${visibleText(issuer)}${scope === undefined ? '' : `, scopes ${visibleText(scope)}`}.`);
    return EXIT.done;
  } finally {
    interrupts.dispose();
  }
}

/** `fettle mcp logout NAME`: deletes the stored login; nothing is sent. */
export async function logoutFromServer(io: Io, name: string): Promise<number> {
  const session = await loadSettings(io);
  const server = configuredServer(session.settings.mcp_servers, name);
  const {oauthServer} = await import('../../../../mcp/oauth/oauth-server.ts');
  const {store} = oauthServer(server, {env: session.env, stateDir: session.paths.stateDir});
  io.note((await store.forget()) ? `${name}: the login is forgotten.` : `${name}: there was no login.`);
  return EXIT.done;
}
