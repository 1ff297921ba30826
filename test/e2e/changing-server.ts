import {createInterface} from 'node:readline';

/** An MCP server whose tools, prompts and words change with every call, and that says so. */
type Message = {readonly id?: number; readonly method?: string};

let calls = 0;
const send = (message: object): boolean => process.stdout.write(`${JSON.stringify({jsonrpc: '2.0', ...message})}\n`);
const named = (name: string): object => ({name, description: `As of call ${calls}.`});
const tools = (): object[] => Array.from({length: calls + 1}, (_, at) => ({...named(`tool_${at}`), inputSchema: {type: 'object'}}));

const ANSWERS: Readonly<Record<string, () => object>> = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: {tools: {listChanged: true}, prompts: {listChanged: true}},
    serverInfo: {name: 'changing', version: '1'},
    instructions: 'Call tool_0.',
  }),
  'tools/list': () => ({tools: tools()}),
  'prompts/list': () => ({prompts: [named(`prompt_${calls}`)]}),
  'tools/call'() {
    calls += 1;
    for (const what of ['tools', 'prompts']) send({method: `notifications/${what}/list_changed`});
    return {content: [{type: 'text', text: `Call ${calls}.`}]};
  },
};

createInterface({input: process.stdin}).on('line', (line) => {
  const {id, method = ''} = JSON.parse(line) as Message;
  if (id === undefined) return;
  const answer = ANSWERS[method];
  send(answer === undefined ? {id, error: {code: -32601, message: 'No such method.'}} : {id, result: answer()});
});
