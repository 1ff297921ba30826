import {createConnection} from 'node:net';
import type {Scenario} from './client-driver.ts';

/** Started by the suite as the client of a scenario: tells the client in the test which one it is, and ends with it. */
const [socket = '', url = ''] = process.argv.slice(2);
const scenario: Scenario = {
  name: process.env['MCP_CONFORMANCE_SCENARIO'] ?? '',
  url,
  context: JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}'),
};
createConnection(socket).end(JSON.stringify(scenario)).resume();
