// The yardstick: a whole agent loop in plain Node, as lean as it gets. It sends the request, parses the stream, runs the call, appends, repeats.
// usage: node minimal-loop.mjs BASE_URL PROMPT
import {spawn} from 'node:child_process';
import {closeSync, fsyncSync, openSync, readFileSync, writeSync} from 'node:fs';
import {Agent, request} from 'node:http';

const [baseUrl, prompt] = process.argv.slice(2);
const agent = new Agent({keepAlive: true, maxSockets: 1});
const parameters = (names) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, {type: 'string'}])),
  required: names,
});
const tool = (name, description, names) => ({type: 'function', function: {name, description, parameters: parameters(names)}});
const tools = [
  tool('read', 'Read a file.', ['path']),
  tool('edit', 'Replace text in a file.', ['path', 'old_string', 'new_string']),
  tool('grep', 'Search files.', ['pattern']),
  tool('bash', 'Run a command.', ['command']),
];
const messages = [
  {role: 'system', content: 'You are a coding agent.'},
  {role: 'user', content: prompt},
];

for (;;) {
  const {text, calls} = await ask();
  messages.push({role: 'assistant', content: text, ...(calls.length > 0 && {tool_calls: calls})});
  if (calls.length === 0) {
    process.stdout.write(`${text}\n`);
    agent.destroy();
    break;
  }
  for (const call of calls) {
    messages.push({role: 'tool', tool_call_id: call.id, content: await run(call.function.name, JSON.parse(call.function.arguments))});
  }
}

function ask() {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({model: 'instant', stream: true, messages, tools});
    const headers = {'content-type': 'application/json', 'content-length': Buffer.byteLength(body)};
    const sent = request(`${baseUrl}/chat/completions`, {method: 'POST', agent, headers}, (response) => {
      const reply = {text: '', calls: []};
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop();
        for (const line of lines) receive(line, reply);
      });
      response.on('end', () => resolve(reply));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function receive(line, reply) {
  if (!line.startsWith('data: ') || line === 'data: [DONE]') return;
  const delta = JSON.parse(line.slice(6)).choices[0]?.delta ?? {};
  reply.text += delta.content ?? '';
  for (const part of delta.tool_calls ?? []) {
    reply.calls[part.index] ??= {id: part.id, type: 'function', function: {name: part.function.name, arguments: ''}};
    reply.calls[part.index].function.arguments += part.function.arguments ?? '';
  }
}

function run(name, args) {
  if (name === 'read') return readFileSync(args.path, 'utf8');
  if (name === 'grep') return output(process.env.BENCH_RG, ['--no-config', '-n', '--no-heading', '--', args.pattern, '.']);
  if (name === 'bash') return output('/bin/sh', ['-c', args.command]);
  const before = readFileSync(args.path, 'utf8');
  writeDurably(`${args.path}.before`, before);
  writeDurably(
    args.path,
    before.replace(args.old_string, () => args.new_string),
  );
  return 'ok';
}

/** An edit of Fettle waits twice for the disk: for the bytes that undo brings back, and for the new text. So does this one. */
function writeDurably(path, text) {
  const file = openSync(path, 'w');
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
}

function output(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {stdio: ['ignore', 'pipe', 'pipe']});
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    child.on('close', () => resolve(text));
  });
}
