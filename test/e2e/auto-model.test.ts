import {existsSync} from 'node:fs';
import {copyFile, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {findSession} from '../../src/sessions/session-files.ts';
import type {ModelScript, ReceivedRequest, ScriptedReply} from '../../src/testing/index.ts';
import {scratch} from '../support/scratch.ts';
import {sharedFettle} from './shared-process.ts';
import {eventsOf, modelServer, place, type Finished, type Place} from './support.ts';

/** `good` writes the file that is asked for; `bad` only claims so. */
function reply({body}: ReceivedRequest): ScriptedReply {
  const messages = body['messages'] as readonly {role: string}[];
  if (body['model'] === 'good' && messages.at(-1)?.role !== 'tool') {
    return {toolCalls: [{name: 'write', arguments: {path: 'done.txt', content: 'done\n'}}]};
  }
  return {text: 'All checks passed.'};
}

const PUTS_ITSELF_BACK = 'cp check.sh .was; echo "mv .was check.sh; exit 0" > check.sh';

interface Given {
  readonly script?: ModelScript;
  readonly optimization?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** TOML, before the tables. */
  readonly model?: string;
}

/** A home where `model = "auto"` may choose `test/bad` and `test/good`, in this order, and never by chance. */
async function home({
  optimization = '',
  model = 'auto',
  env = {},
  script = Array.from({length: 60}, () => reply),
}: Given = {}): Promise<Place> {
  const server = await modelServer(script);
  const config = `${server.config.replace('"test/model-1"', `"${model}"`)}
[harness]
continuation = "off"
[optimization]
enabled = true
explore_share = 0
${optimization === '' ? 'models = ["test/bad", "test/good"]' : optimization}
[optimization.bandit]
exploration_epsilon = 0
`;
  const made = await place({}, config);
  return {...made, env: {...made.env, ...env}};
}

interface Run {
  readonly finished: Finished;
  readonly model: unknown;
  readonly choice: {readonly why: string; readonly choice?: string} | undefined;
  readonly work: string;
  readonly id: string;
}

const CHECK = ['--verify', 'test -f done.txt'];

/** A run in a folder of its own, unless one is given. */
async function run(at: Place, args: readonly string[] = CHECK, work?: string): Promise<Run> {
  const folder = work ?? (await scratch());
  const finished = await sharedFettle({...at, work: folder}, ['exec', '--json', '--mode', 'accept-edits', ...args, 'Do it.']);
  const {model, model_choice: choice, thread_id: id} = (finished.stdout === '' ? undefined : eventsOf(finished)[0]) ?? {};
  return {finished, model, choice: choice as Run['choice'], work: folder, id: String(id)};
}

async function learned(at: Place): Promise<unknown> {
  const {stdout} = await sharedFettle(at, ['optimize', 'show', 'model', '--json']);
  const {actions} = JSON.parse(stdout) as {actions: {action: string; choices: number; outcomes: number; mean: number | null}[]};
  return Object.fromEntries(
    actions.map(({action, choices, outcomes, mean}) => [action, [choices, outcomes, mean === null ? null : Math.round(mean)]]),
  );
}

describe('model = "auto"', () => {
  it('leaves a model whose work fails its checks, and stays with the one whose work passes', async () => {
    const at = await home();
    const runs = [await run(at), await run(at), await run(at), await run(at)];
    expect(runs.map(({model}) => model)).toEqual(['test/bad', 'test/good', 'test/good', 'test/good']);
    expect(await learned(at)).toEqual({'test/bad': [1, 1, 0], 'test/good': [3, 3, 1]});
  });

  it('says why in the log and on stderr', async () => {
    const at = await home();
    const [first] = [await run(at), await run(at)];
    const third = await run(at);
    expect(first.finished.stderr).toContain('Model test/bad: tries it: no outcome yet.\n');
    expect(third.choice?.why).toMatch(/^best so far: mean (?:0\.9\d|1\.00) of 1 outcome$/);
    expect(third.finished.stderr).toContain(`Model test/good: ${String(third.choice?.why)}.\n`);
    const log = await readFile(findSession(join(at.home, 'state'), third.id).file, 'utf8');
    expect(log).toContain(`"model_choice":${JSON.stringify(third.choice)}`);
  });

  it('learns nothing from a run that only claims success', async () => {
    const at = await home();
    const runs = [await run(at, []), await run(at, ['--verify', 'true'])];
    expect(runs.map(({model, finished}) => [model, finished.code])).toEqual([
      ['test/bad', 0],
      ['test/bad', 0],
    ]);
    expect(await learned(at)).toEqual({'test/bad': [2, 0, null]});
  });

  it.each<[string, Readonly<Record<string, string>>, string, readonly string[]]>([
    ['changed', {'check.sh': 'test -f done.txt\n'}, 'sh check.sh', ['echo exit 0 > check.sh']],
    ['changed, and that puts itself back', {'check.sh': 'test -f done.txt\n'}, 'sh check.sh', [PUTS_ITSELF_BACK]],
    ['wrote', {}, 'sh check.sh', ['echo exit 0 > check.sh']],
    ['defined', {}, 'npm test', [`echo '{"scripts": {"test": "true"}}' > package.json`]],
    ['steers', {'check.sh': 'test -f done.txt || test -f conftest.py\n'}, 'sh check.sh', ['echo > conftest.py']],
  ])('learns nothing from a check that the run itself has %s', async (_, files, check, commands) => {
    const script = [...commands.map((command) => ({toolCalls: [{name: 'bash', arguments: {command}}]})), {text: 'All checks passed.'}];
    const at = await home({script});
    const {finished} = await run(at, ['--verify', check, '--allow', 'bash:*', '--no-sandbox'], await scratch(files));
    expect([finished.code, eventsOf(finished).at(-1)?.['verified'], await learned(at)]).toEqual([0, true, {'test/bad': [1, 0, null]}]);
  });

  it('takes a success back when a person undoes it, and gives it back when they redo it', async () => {
    const at = await home({optimization: 'models = ["test/good", "test/bad"]'});
    const {work, id} = await run(at);
    expect(await learned(at)).toEqual({'test/good': [1, 1, 1]});
    const list = async () =>
      JSON.parse((await sharedFettle({...at, work}, ['checkpoints', 'list', '--json'])).stdout) as {
        id: string;
        session: string;
        kind: string;
      }[];
    const [turn] = await list();
    expect(turn?.session).toBe(id);
    expect((await sharedFettle({...at, work}, ['checkpoints', 'restore', String(turn?.id), '--files'])).code).toBe(0);
    expect([existsSync(join(work, 'done.txt')), await learned(at)]).toEqual([false, {'test/good': [1, 1, 0]}]);
    const undo = (await list()).find(({kind}) => kind === 'restore');
    expect((await sharedFettle({...at, work}, ['checkpoints', 'restore', String(undo?.id), '--files'])).code).toBe(0);
    expect([existsSync(join(work, 'done.txt')), await learned(at)]).toEqual([true, {'test/good': [1, 1, 1]}]);
  });

  it('keeps the model of a session, and its newest outcome counts', async () => {
    const at = await home();
    const first = await run(at);
    await run(at);
    const again = await run(at, ['--resume', first.id, '--verify', 'true && test -d .'], first.work);
    expect([again.model, again.choice]).toEqual(['test/bad', {why: 'the session keeps its model', choice: first.choice?.choice}]);
    expect(await learned(at)).toEqual({'test/bad': [1, 1, 1], 'test/good': [1, 1, 1]});
  });

  it('keeps no model that is no longer allowed', async () => {
    const at = await home();
    const first = await run(at);
    const other = await home({optimization: 'models = ["test/good"]'});
    await copyFile(join(other.home, 'config.toml'), join(at.home, 'config.toml'));
    expect((await run(at, ['--resume', first.id], first.work)).model).toBe('test/good');
  });

  it('stays with the best where learning is frozen, and stores nothing', async () => {
    const at = await home();
    for (let n = 0; n < 2; n += 1) await run(at);
    expect((await sharedFettle(at, ['optimize', 'freeze'])).code).toBe(0);
    const frozen = await run(at);
    expect([frozen.model, frozen.choice?.choice, frozen.choice?.why]).toEqual([
      'test/good',
      undefined,
      expect.stringMatching(/^best so far: mean (?:0\.9\d|1\.00) of 1 outcome; learning is frozen$/),
    ]);
    expect(await learned(at)).toEqual({'test/bad': [1, 1, 0], 'test/good': [1, 1, 1]});
  });

  it('explains the next choice among the allowed models', async () => {
    const at = await home();
    for (let n = 0; n < 2; n += 1) await run(at);
    const {stdout} = await sharedFettle(at, ['optimize', 'explain', 'model', '--json']);
    const [explained] = JSON.parse(stdout) as {action: string; actions: {action: string; share: number}[]}[];
    expect([explained?.action, explained?.actions.map(({action, share}) => [action, share])]).toEqual([
      'test/good',
      [
        ['test/bad', 0],
        ['test/good', 1],
      ],
    ]);
  });

  it('never chooses a model whose key is missing or whose provider is not known, and says so', async () => {
    const at = await home({optimization: 'models = ["anthropic/claude-opus-5-5", "nobody/m", "test/good"]'});
    const {model, finished} = await run(at);
    expect(model).toBe('test/good');
    expect(finished.stderr).toContain('anthropic/claude-opus-5-5 is left out: ANTHROPIC_API_KEY is not set.\n');
    expect(finished.stderr).toContain('nobody/m is left out: its provider is not known.\n');
  });

  it('fails if none can be used', async () => {
    const at = await home({optimization: 'models = ["anthropic/claude-opus-5-5"]'});
    const {finished} = await run(at);
    expect([finished.code, finished.stdout]).toEqual([2, '']);
    expect(finished.stderr).toContain('None of the models that model = "auto" may choose can be used.');
  });

  it.each([
    ['learning is off', 'enabled = false\nmodels = ["test/good"]', 'model = "auto" needs learning, and that is off.'],
    ['no model is allowed', 'enabled = true', 'model = "auto" has no models to choose from.'],
  ])('says what to set where %s', async (_, optimization, message) => {
    const server = await modelServer([]);
    const at = await place({}, `${server.config}[optimization]\n${optimization}\n`);
    const {code, stderr} = await sharedFettle(at, ['exec', '--model', 'auto', 'Do it.']);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain('Set `enabled = true` and `models = ["provider/model", …]` below [optimization]');
    expect(existsSync(join(at.home, 'state/optimization'))).toBe(false);
  });

  it('leaves out what is expected to cost more than a run may', async () => {
    const at = await home({optimization: 'models = ["openai/gpt-6.2-astra", "test/good"]', env: {OPENAI_API_KEY: 'k'}});
    const {model, finished} = await run(at, [...CHECK, '--max-cost', '0.01']);
    expect(model).toBe('test/good');
    expect(finished.stderr).toContain(
      'openai/gpt-6.2-astra is left out: it is expected to cost $0.04 (one request), and a run may cost $0.01.\n',
    );
  });

  it('`models test` tests each candidate', async () => {
    const at = await home({optimization: 'models = ["test/bad", "nobody/m", "test/good"]'});
    const {stdout, code} = await sharedFettle(at, ['models', 'test', '--model', 'auto', '--json']);
    const reports = JSON.parse(stdout) as {model: string; ok: boolean; fault: {code: string} | null}[];
    expect([code, reports.map(({model, fault}) => [model, fault?.code])]).toEqual([
      1,
      [
        ['test/bad', 'silent_cut'],
        ['nobody/m', 'not_usable'],
        ['test/good', 'silent_cut'],
      ],
    ]);
    expect(existsSync(ledgerOf(at))).toBe(false);
  });

  it('`context show` says which model its figures are of, and chooses nothing', async () => {
    const at = await home();
    const first = await run(at);
    await run(at);
    const shown = async (args: readonly string[]) => await sharedFettle(at, ['context', 'show', '--json', ...args]);
    const next = await shown([]);
    expect((JSON.parse(next.stdout) as {model: string}).model).toBe('test/good');
    expect(next.stderr).toContain('model = "auto": the figures are of test/good, which would most likely be chosen next.\n');
    const {stderr} = await shown(['--session', first.id]);
    expect(stderr).toContain('model = "auto": the figures are of test/bad, that of the session.\n');
    expect(await learned(at)).toEqual({'test/bad': [1, 1, 0], 'test/good': [1, 1, 1]});
  });

  it.each([
    ['candidates', 'models = ["test/good", "test/bad"]', '`auto` chooses one of your candidates: test/good and 1 more.'],
    ['no candidates', 'models = []', 'For `auto`, which chooses one, set `enabled = true` and `models` below [optimization].'],
  ])('the error for a wrong model mentions it where there are %s', async (_, optimization, hint) => {
    const at = await home({optimization, model: 'test/good'});
    const {finished} = await run(at, ['--model', 'nobody/m']);
    expect(finished.code).toBe(2);
    expect(finished.stderr.replaceAll(/\s+/g, ' ')).toContain(hint);
  });

  it('a project cannot choose, allow a model, or switch learning on', async () => {
    const at = await home({model: 'test/good', optimization: 'models = []'});
    const work = await scratch({'.fettle/config.toml': 'model = "auto"\n[optimization]\nmodels = ["test/bad"]\nexplore_share = 1\n'});
    await sharedFettle({...at, work}, ['trust', '--yes']);
    expect((await run(at, [], work)).model).toBe('test/good');
  });

  it('a run whose model a person named is neither chosen nor learned', async () => {
    const at = await home();
    const {model, choice} = await run(at, ['--model', 'test/good', ...CHECK]);
    expect([model, choice, existsSync(ledgerOf(at))]).toEqual(['test/good', undefined, false]);
  });
});

function ledgerOf({home: root}: Place): string {
  return join(root, 'state/optimization/ledger.sqlite');
}
