// The yardstick: a whole agent loop in plain Node. It sends the request, parses the stream, reads, edits or searches, appends, repeats.
// usage: node minimal-loop.mjs BASE_URL PROMPT
import {spawn} from 'node:child_process';
import {readFile, writeFile} from 'node:fs/promises';

const [baseUrl, prompt] = process.argv.slice(2);
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
    break;
  }
  for (const call of calls) {
    messages.push({role: 'tool', tool_call_id: call.id, content: await run(call.function.name, JSON.parse(call.function.arguments))});
  }
}

async function ask() {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({model: 'instant', stream: true, messages, tools}),
  });
  let text = '';
  let rest = '';
  const calls = [];
  const decoder = new TextDecoder();
  for await (const chunk of response.body) {
    rest += decoder.decode(chunk, {stream: true});
    const lines = rest.split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (!line.startsWith('data: ') || line === 'data: [DONE]') continue;
      const delta = JSON.parse(line.slice(6)).choices[0]?.delta ?? {};
      text += delta.content ?? '';
      for (const part of delta.tool_calls ?? []) {
        calls[part.index] ??= {id: part.id, type: 'function', function: {name: part.function.name, arguments: ''}};
        calls[part.index].function.arguments += part.function.arguments ?? '';
      }
    }
  }
  return {text, calls};
}

async function run(name, args) {
  if (name === 'read') return await readFile(args.path, 'utf8');
  if (name === 'grep') return await ripgrep(args.pattern);
  const before = await readFile(args.path, 'utf8');
  await writeFile(
    args.path,
    before.replace(args.old_string, () => args.new_string),
  );
  return 'ok';
}

function ripgrep(pattern) {
  return new Promise((resolve) => {
    const child = spawn(process.env.BENCH_RG, ['--no-config', '-n', '--no-heading', '--', pattern, '.'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.on('close', () => resolve(output));
  });
}
