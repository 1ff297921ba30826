import {execFile} from 'node:child_process';
import {writeFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it, onTestFinished} from 'vitest';
import {exportHtml} from '../../src/sessions/export/html.ts';
import {callCompleted, logged, output, reasoning, started, text, user} from '../sessions/events.ts';
import {scratch} from '../support/scratch.ts';

const BROWSER = await promisify(execFile)('which', ['chromium']).then(
  ({stdout}) => stdout.trim(),
  () => undefined,
);

/** What a browser makes of a page, its scripts run, and what it asked of a server meanwhile. */
async function shown(page: (address: string) => string): Promise<{dom: string; asked: string[]}> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const folder = await scratch();
  await writeFile(join(folder, 'page.html'), page(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`));
  const args = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${join(folder, 'profile')}`, '--virtual-time-budget=3000'];
  const {stdout} = await promisify(execFile)(BROWSER ?? '', [...args, '--dump-dom', `file://${join(folder, 'page.html')}`], {
    env: {PATH: process.env['PATH'], HOME: folder},
  });
  return {dom: stdout, asked};
}

function hostile(address: string): string {
  return `</pre></details></title></style><script>document.title = 'pwned'; fetch('${address}/script')</script>
<img src="${address}/image" onerror="document.title = 'pwned'"> ![x](${address}/markdown) <link rel="stylesheet" href="${address}/style">
<meta http-equiv="refresh" content="0;url=${address}/refresh"> <iframe src="${address}/frame"></iframe> <svg onload="document.title = 'pwned'">
<style>@import '${address}/import'; body {display: none}</style>`;
}

function pageOf(evil: string): string {
  const call = {id: 'c', name: `read${evil}`, arguments: JSON.stringify({path: evil, old_string: evil, new_string: evil})};
  const events = [started({cwd: evil}), user(evil), reasoning('r', evil), text('r', `# ${evil}\n\`${evil}\``), callCompleted('r', call)];
  return exportHtml(logged([...events, output('r', call, evil)]));
}

describe.skipIf(BROWSER === undefined)('the page of a session, in a browser (security › transcripts show text as text)', () => {
  it('the browser of this test runs scripts and loads images, where a page lets it', async () => {
    const {asked} = await shown((address) => `<title>t</title>${hostile(address)}`);
    expect([asked.includes('/image'), asked.includes('/script')]).toEqual([true, true]);
  });

  it('nothing of a session runs or is loaded', async () => {
    const {dom, asked} = await shown((address) => pageOf(hostile(address)));
    expect([asked, dom.match(/<(?:script|img|link|iframe|svg|form|style|meta)\b/g)]).toEqual([[], ['<meta', '<meta', '<meta', '<style']]);
    const links = dom.match(/<a\b[^>]*>/g) ?? [];
    expect(links.filter((link) => !/^<a href="http:\/\/127[^"]*" rel="noopener noreferrer nofollow">$/.test(link))).toEqual([]);
    expect([/<title>[^<]*/.exec(dom)?.[0].slice(0, 28), dom.includes('<h1>')]).toEqual(['<title>&lt;/pre&gt;&lt;/deta', true]);
  });
});
