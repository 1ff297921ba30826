// Started by the suite as the client of a scenario: tells the client in the test which one it is, and ends with it.
import {createConnection} from 'node:net';

const [socket = '', url = ''] = process.argv.slice(2);
const {MCP_CONFORMANCE_SCENARIO: name = '', MCP_CONFORMANCE_CONTEXT: context = '{}'} = process.env;
createConnection(socket)
  .end(JSON.stringify({name, url, context: JSON.parse(context)}))
  .resume();
