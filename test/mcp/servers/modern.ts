import {createInterface} from 'node:readline';

/** A server of the era of 2026-07-28 that does what its argument names. */
const [way = 'state'] = process.argv.slice(2);

type Message = {id?: number | string; method?: string; params?: Record<string, unknown>; result?: unknown; error?: unknown};

const STATE = ' {"tampered": "\u00e9\\u0000"}\t== ';
const send = (message: object): boolean => process.stdout.write(`${JSON.stringify({jsonrpc: '2.0', ...message})}\n`);
const fresh = {resultType: 'complete', ttlMs: 0, cacheScope: 'private'};
const said = (text: string) => ({resultType: 'complete', content: [{type: 'text', text}]});
const form = {mode: 'form', message: 'Sure?', requestedSchema: {type: 'object', properties: {}}};

let pending: Message['id'];
let answered = 'no answer';

createInterface({input: process.stdin}).on('line', (line) => {
  const {id, method, params, result} = JSON.parse(line) as Message;
  if (method === 'server/discover') send({id, result: {...fresh, supportedVersions: ['2026-07-28'], capabilities: {tools: {}}}});
  else if (method === 'tools/list') send({id, result: {...fresh, tools: [{name: 'go', inputSchema: {type: 'object'}}]}});
  else if (method === 'tools/call' && way === 'state') {
    const state = params?.['requestState'];
    if (state === undefined) {
      const inputRequests = {q: {method: 'elicitation/create', params: form}};
      send({id, result: {resultType: 'input_required', inputRequests, requestState: STATE}});
    } else send({id, result: said(state === STATE ? 'byte for byte' : 'another state')});
  } else if (method === 'tools/call') {
    pending = id;
    send({id: 'q', method: 'elicitation/create', params: form});
    setTimeout(() => send({id: pending, result: said(answered)}), 200);
  } else if (id === 'q') answered = result === undefined ? 'refused' : JSON.stringify(result);
});
