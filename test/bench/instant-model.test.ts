import {expect, it, onTestFinished} from 'vitest';
import {startInstantModel} from '../../bench/instant-model.ts';

it('answers each format on one plan, and keeps the body of the request that finds it done', async () => {
  const model = await startInstantModel();
  onTestFinished(() => model.close());
  const moments: number[] = [];
  model.reset(
    [
      {name: 'a', arguments: {}},
      {name: 'b', arguments: {}},
    ],
    () => moments.push(model.requests.length),
  );
  const post = async (url: string, body: string): Promise<string> => await (await fetch(url, {method: 'POST', body})).text();

  expect(await post(`${model.baseUrl}/chat/completions`, 'first')).toContain('"name":"a"');
  expect(await post(`${model.baseUrl}/models`, 'a question')).toBe('');
  expect(await post(`${model.baseUrl}/responses`, 'second')).toContain('"name":"b"');
  expect([moments, model.lastBody.toString()]).toEqual([[], '']);
  expect(await post(`${model.origin}/v1beta/models/m:streamGenerateContent?alt=sse`, 'third')).toContain('"text":"Done."');
  expect([moments, model.lastBody.toString(), model.requests.length]).toEqual([[2], 'third', 3]);

  model.reset([]);
  expect([model.lastBody.toString(), model.requests]).toEqual(['', []]);
});
