import {once} from 'node:events';
import {createServer} from 'node:http';
import {describe, expect, it, onTestFinished} from 'vitest';
import {runRollout} from '../../../../src/lab/rollout/run-rollout.ts';
import {lab, outputOf, step} from './support.ts';

const signal = new AbortController().signal;

/** A service of the person on the loopback of this machine. */
async function service(): Promise<{readonly port: number; readonly asked: () => number}> {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.end('private');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return {port: typeof address === 'object' && address !== null ? address.port : 0, asked: () => asked};
}

describe.skipIf(process.platform !== 'linux')('a task with the network', () => {
  it('reaches nothing on the loopback of this machine: neither the set-up, nor commands of the agent, nor the verification', async () => {
    const {port, asked} = await service();
    const direct = `node -e "fetch('http://127.0.0.1:${port}').then(r => r.text()).then(t => console.log('reached ' + t), e => console.log('refused'))"`;
    const proxied = `bash -c 'exec 3<>/dev/tcp/127.0.0.1/\${HTTP_PROXY##*:}; printf "GET http://127.0.0.1:${port}/ HTTP/1.1\\r\\nhost: x\\r\\nconnection: close\\r\\n\\r\\n" >&3; head -n 1 <&3'`;
    const raw = `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}' 2>/dev/null && echo reached || echo refused`;
    const made = await lab({
      start: {'reach.sh': [direct, raw, proxied].join('\n')},
      agent: ['bash reach.sh', 'echo 42 > answer.txt'],
      place: {network: true},
      steps: [{...step({command: 'cat set-up.txt; bash reach.sh; test "$(cat answer.txt)" = 42'}), setUp: ['bash reach.sh > set-up.txt']}],
    });
    const {outcome, note} = await runRollout(made.request, signal);
    const expected = ['refused', 'refused', 'HTTP/1.1 403 Forbidden'].join('\n');
    const plain = (text: string): string => text.replaceAll(/Forbidden[^\n]*/g, 'Forbidden').trim();
    expect({outcome, note, asked: asked(), verify: plain(await made.artifact('verify.txt'))}).toEqual({
      outcome: 'passed',
      note: undefined,
      asked: 0,
      verify: `${expected}\n${expected}\n[exit code 0]`,
    });
    expect(plain(outputOf(await made.artifact('events.jsonl')))).toBe(`${expected}\n(no output)`);
  });
});
