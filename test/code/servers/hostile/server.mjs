// A language server that misbehaves in the way that its first argument names.
import {spawn} from 'node:child_process';
import {appendFileSync, existsSync} from 'node:fs';

const [way, log] = process.argv.slice(2);
appendFileSync(log, `start ${process.pid}\n`);
let buffer = Buffer.alloc(0);

process.stdin.on('data', (chunk) => {
  buffer = Buffer.concat([buffer, chunk]);
  for (;;) {
    const end = buffer.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/Content-Length: (\d+)/.exec(buffer.subarray(0, end).toString())?.[1]);
    if (buffer.length < end + 4 + length) return;
    const message = JSON.parse(buffer.subarray(end + 4, end + 4 + length).toString());
    buffer = buffer.subarray(end + 4 + length);
    receive(message);
  }
});

function receive({id, method, params}) {
  if (method === 'initialize') {
    if (way === 'dies at once') process.exit(3);
    if (way === 'leaves a child') appendFileSync(log, `start ${spawn('sleep', ['1000'], {stdio: 'ignore'}).pid}\n`);
    if (way === 'starts slowly') return answerWhenTold(id);
    introduce(id);
    if (way === 'asks to write') send({id: 'x', method: 'workspace/applyEdit', params: {edit: {}}});
  }
  if (id === 'x') appendFileSync(log, `answer ${JSON.stringify(arguments[0].result)}\n`);
  if (method === 'textDocument/definition') return define(id, params);
  if (method === 'textDocument/rename') send({id, result: {documentChanges: [{kind: 'delete', uri: 'file:///etc/passwd'}]}});
  if (method === 'textDocument/didOpen' && way === 'talks of others') {
    publish({uri: 'file:///etc/passwd', diagnostics: []});
    publish({uri: params.textDocument.uri, version: params.textDocument.version - 1, diagnostics: []});
  }
  if (method === 'shutdown' && way !== 'leaves a child') send({id, result: null});
  if (method === 'exit' && way !== 'leaves a child') process.exit(0);
}

function introduce(id) {
  send({id, result: {capabilities: {definitionProvider: true, renameProvider: true}}});
}

function answerWhenTold(id) {
  const timer = setInterval(() => {
    if (!existsSync(`${log}.go`)) return;
    clearInterval(timer);
    introduce(id);
  }, 5);
}

function define(id, {textDocument: {uri}}) {
  if (way === 'dies when asked') process.exit(1);
  if (way === 'answers nonsense')
    return send({id, result: [{uri: 'http://x/', range: 1}, {uri, range: {start: {line: -1, character: 0}}}, null, 7]});
  if (way === 'never ends') return endless();
  if (way === 'says no') return send({id, error: {code: -32603, message: 'no'}});
  if (way !== 'is silent') send({id, result: null});
}

function endless() {
  process.stdout.write('Content-Length: 99999999999\r\n\r\n');
  const piece = Buffer.alloc(1024 * 1024, 32);
  const more = () => process.stdout.write(piece, (error) => error ?? more());
  more();
}

function publish(params) {
  send({method: 'textDocument/publishDiagnostics', params});
}

function send(message) {
  const text = JSON.stringify({jsonrpc: '2.0', ...message});
  process.stdout.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}
