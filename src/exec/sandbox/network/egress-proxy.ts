import type {Socket} from 'node:net';
import type {Variables} from '../../variables/child-environment.ts';
import {createDial} from './dial.ts';
import {createHttpProxy} from './http-proxy.ts';
import type {NetworkNamespace} from './network-namespace.ts';
import type {NetworkRules} from '../sandbox.ts';
import {serveSocks} from './socks-proxy.ts';

export interface EgressProxy {
  /** Variables that point programs to the proxies. */
  readonly env: Variables;
  close(): void;
}

/** The number of listeners that the proxy needs. */
export const LISTENERS = 2;

const MAX_CONNECTIONS = 256;

/** Proxies behind the listeners of a network namespace: its only way out, and only to allowed domains. */
export function openEgressProxy({listeners: [web, socks]}: NetworkNamespace, rules: NetworkRules): EgressProxy {
  if (web === undefined || socks === undefined) return {env: {}, close: () => undefined};
  const dial = createDial(rules);
  const proxy = createHttpProxy(dial);
  const open = new Set<Socket>();
  const serve = (accept: (socket: Socket) => void) => (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).unref();
    accept(socket);
  };
  web.server.on(
    'connection',
    serve((socket) => proxy.emit('connection', socket)),
  );
  socks.server.on(
    'connection',
    serve((socket) => void serveSocks(socket, dial)),
  );
  for (const {server} of [web, socks]) {
    server.maxConnections = MAX_CONNECTIONS;
    server.unref();
  }
  return {
    env: proxyVariables(web.port, socks.port),
    close() {
      for (const socket of open) socket.destroy();
    },
  };
}

function proxyVariables(web: number, socks: number): Variables {
  const http = `http://127.0.0.1:${web}`;
  const all = `socks5h://127.0.0.1:${socks}`;
  const none = 'localhost,127.0.0.1,::1';
  const named = {HTTP_PROXY: http, HTTPS_PROXY: http, ALL_PROXY: all, NO_PROXY: none};
  const lower = Object.fromEntries(Object.entries(named).map(([name, value]) => [name.toLowerCase(), value]));
  return {...named, ...lower, NODE_USE_ENV_PROXY: '1'};
}
