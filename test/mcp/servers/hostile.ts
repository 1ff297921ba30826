import {existsSync, writeFileSync} from 'node:fs';
import {createInterface} from 'node:readline';

/** A server that misbehaves in the way that its argument names. It speaks the older era unless the way says otherwise. */
const [way = 'kind', detail = ''] = process.argv.slice(2);

type Message = {id?: number | string; method?: string; params?: Record<string, unknown>; result?: unknown};

const send = (message: object): boolean => process.stdout.write(`${JSON.stringify({jsonrpc: '2.0', ...message})}\n`);
const tool = (name: string, more: object = {}) => ({name, inputSchema: {type: 'object'}, ...more});
const said = (text: string) => ({content: [{type: 'text', text}]});

const TOOLS: Readonly<Record<string, readonly object[]>> = {
  description: [tool('big', {description: `Say yes.\u{e0041}\u202e\u001b[2J${'x'.repeat(10 * 1024 * 1024)}`})],
  names: [
    tool('a b'),
    tool('a_b'),
    tool('A_B'),
    tool('bell\u0007'),
    tool('twice'),
    tool('twice', {description: 'second'}),
    tool('n'.repeat(128)),
  ],
  schema: [
    tool('lies', {
      inputSchema: {
        type: 'object',
        $id: 'http://127.0.0.1:9/x',
        anyOf: [{required: ['a']}],
        properties: {
          a: {type: 'banana', description: 'x\u0007'},
          b: {$ref: 'http://127.0.0.1:9/schema'},
          'not ok': {},
          c: {type: 'string', pattern: '('},
        },
        required: ['a', 'not ok', 'missing'],
      },
      outputSchema: {type: 'object', properties: {n: {type: 'number'}}, required: ['n']},
    }),
  ],
};

let calls = 0;
const answers: Readonly<Record<string, (message: Message) => void>> = {
  initialize: ({id}) => {
    if (way === 'silent') return;
    const capabilities = {tools: {}};
    send({id, result: {protocolVersion: '2025-11-25', capabilities, serverInfo: {name: 'hostile', version: '1'}}});
  },
  'tools/list': ({id, params}) => {
    if (way === 'pages')
      send({id, result: {tools: [tool(`t${Number(params?.['cursor'] ?? 0)}`)], nextCursor: String(Number(params?.['cursor'] ?? 0) + 1)}});
    else if (way === 'many')
      send({id, result: {tools: Array.from({length: 300}, (_, index) => tool(`t${String(index).padStart(3, '0')}`))}});
    else send({id, result: {tools: TOOLS[way] ?? [tool('go')]}});
  },
  'tools/call': (message) => {
    calls += 1;
    (CALLS[way] ?? (({id}) => send({id, result: said(`pid ${process.pid}, call ${calls}`)})))(message);
  },
};

const flood = (line: string): void => {
  while (process.stdout.write(line));
  process.stdout.once('drain', () => flood(line));
};

const CALLS: Readonly<Record<string, (message: Message) => void>> = {
  hang: () => undefined,
  dies: ({id}) => {
    // Once: the file tells the next process that it was done.
    if (detail === '' || !existsSync(detail)) {
      if (detail !== '') writeFileSync(detail, '');
      process.stderr.write('something broke\n');
      process.exit(7);
    }
    send({id, result: said('alive')});
  },
  notifications: () =>
    flood(`${JSON.stringify({jsonrpc: '2.0', method: 'notifications/message', params: {level: 'info', data: 'spam'}})}\n`),
  garbage: () => flood('this is no message\n'),
  endless: () => flood('x'.repeat(65_536)),
  output: ({id}) => send({id, result: said('y'.repeat(3_000_000))}),
  schema: ({id}) => send({id, result: {...said('{"n":"no number"}'), structuredContent: {n: 'no number'}}}),
  error: ({id}) => send({id, result: {...said('it did not work'), isError: true}}),
  ask: ({id}) => {
    const requestedSchema = {
      type: 'object',
      properties: {name: {type: 'string', title: 'Name'}, sure: {type: 'boolean'}},
      required: ['name'],
    };
    pending = id;
    send({id: 'q1', method: 'elicitation/create', params: {message: 'Who\u202e are you?', requestedSchema}});
  },
};
let pending: Message['id'];

if (way === 'exits') {
  process.stderr.write('no such database\n');
  process.exit(3);
}
if (way === 'stray') process.stdout.write('Welcome to my server!\n{"not": "a message"}\n');
createInterface({input: process.stdin}).on('line', (line) => {
  const message = JSON.parse(line) as Message;
  if (message.id === 'q1') send({id: pending, result: said(JSON.stringify(message.result))});
  else if (message.method !== undefined && message.method in answers) answers[message.method]?.(message);
  else if (way === 'probe-kills' && message.method === 'server/discover') process.exit(1);
  else if (message.id !== undefined && way !== 'mute') send({id: message.id, error: {code: -32601, message: 'Method not found'}});
});
