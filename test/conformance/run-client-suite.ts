import {createServer} from 'node:net';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {scratch} from '../support/scratch.ts';
import {driveClient, type Scenario} from './client-driver.ts';
import {suiteSays} from './run-suite.ts';

/** What became of a scenario. */
export interface Outcome {
  /** `passed`, else the line in which the suite says what failed. */
  readonly verdict: string;
  /** How the client ended: `done`, or the message of what it threw, without the ports. */
  readonly client: string;
}

export interface ClientRun {
  readonly code: number | null;
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

/**
 * Runs all scenarios that a revision requires of a client, in one process of the suite. The clients that it starts do nothing but name their
 * scenario to this process, where ours does what it wants; one after the other, so that nobody waits for longer than the suite does.
 */
export async function runClientSuite(revision: string): Promise<ClientRun> {
  const socket = join(await scratch(), 'client.sock');
  const clients = new Map<string, string>();
  let turn = Promise.resolve();
  const server = createServer({allowHalfOpen: true}, (connection) => {
    turn = turn.then(async () => {
      const scenario = JSON.parse(await text(connection)) as Scenario;
      clients.set(scenario.name, await endOf(scenario));
      connection.end();
    });
  });
  await new Promise<void>((listening) => server.listen(socket, listening));
  try {
    const command = `"${process.execPath}" "${join(import.meta.dirname, 'client-relay.mjs')}" "${socket}"`;
    const {code, said} = await suiteSays(['client', '--command', command, '--requirements', revision, '--timeout', '100000']);
    return {code, outcomes: outcomesOf(said, clients)};
  } finally {
    server.close();
  }
}

async function endOf(scenario: Scenario): Promise<string> {
  try {
    await driveClient(scenario);
    return 'done';
  } catch (thrown) {
    return (thrown instanceof Error ? thrown.message : String(thrown)).replaceAll(/(?<=localhost):\d+/g, '');
  }
}

function outcomesOf(said: string, clients: ReadonlyMap<string, string>): Map<string, Outcome> {
  const lines = said.matchAll(/^. (\S+): (.+)$/gmu);
  return new Map(
    [...lines].map(([line, name = '', counts = '']) => [
      name,
      {verdict: /^[1-9]\d* passed, 0 failed$/.test(counts) ? 'passed' : line, client: clients.get(name) ?? 'never started'},
    ]),
  );
}
