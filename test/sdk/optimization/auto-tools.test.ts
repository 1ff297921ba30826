import {readFile} from 'node:fs/promises';
import {describe, expect, it, onTestFinished} from 'vitest';
import {openLedger} from '../../../src/optimization/ledger/ledger.ts';
import {loadSettings, openThread, type OpenedThread, type SessionSettings} from '../../../src/sdk/index.ts';
import {usableToolsets} from '../../../src/sdk/optimization/usable-tools.ts';
import {loadToolset} from '../../../src/sdk/tools/session-toolset.ts';
import {startModelServer, type ModelServer, type ScriptedReply} from '../../../src/testing/index.ts';
import {scratch} from '../../support/scratch.ts';

const never = new AbortController().signal;
const REPLIES: readonly ScriptedReply[] = [
  {toolCalls: [{name: 'write', arguments: {path: 'done.txt', content: 'done\n'}}]},
  {text: 'Done.'},
];

interface Given {
  readonly top?: string;
  readonly optimization?: string;
  readonly runs?: number;
}

interface At {
  readonly session: SessionSettings;
  readonly server: ModelServer;
}

/** Settings that leave toolset and edit dialect of `ollama/m` open, and never choose by chance. */
async function at({top = 'toolset = "auto"\nedit_dialect = "auto"', optimization, runs = 1}: Given = {}): Promise<At> {
  const server = await startModelServer(Array.from({length: runs}, () => REPLIES).flat());
  onTestFinished(() => server.close());
  const candidates = optimization ?? 'toolsets = ["vtcode", "fettle"]\nedit_dialects = ["patch", "own"]';
  const home = await scratch({
    'config.toml': `model = "ollama/m"\n${top}\n[optimization]\nenabled = true\nexplore_share = 0\n${candidates}\n[optimization.bandit]\nexploration_epsilon = 0\n`,
  });
  const env = {PATH: process.env['PATH'], HOME: home, FETTLE_HOME: home, OLLAMA_BASE_URL: server.url};
  return {session: await loadSettings({cwd: await scratch(), env, home}), server};
}

interface Used {
  readonly thread: OpenedThread;
  readonly started: Readonly<Record<string, unknown>> | undefined;
}

/** A run whose work is verified. */
async function run(session: SessionSettings, resume?: string): Promise<Used> {
  const thread = await openThread(
    {
      session,
      verify: ['test -f done.txt'],
      approve: async () => ({decision: 'allow'}),
      ...(resume === undefined ? {} : {resume: {id: resume}}),
    },
    never,
  );
  await thread.close(await thread.run('Do it.', never));
  const lines = (await readFile(thread.sessionFile, 'utf8')).trim().split('\n');
  const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>).map((line) => (line['event'] ?? line) as Used['started']);
  return {thread, started: events.findLast((event) => event?.['type'] === 'thread.started')};
}

/** Lets outcomes of a decision be known. */
function teach({paths}: SessionSettings, decision: string, outcomes: Readonly<Record<string, boolean>>): void {
  const ledger = openLedger(paths.stateDir);
  for (const [action, success] of Object.entries(outcomes)) ledger.addOutcome({signal: {action, success}, of: {decision}});
  ledger.close();
}

function learned({paths}: SessionSettings): readonly unknown[] {
  const ledger = openLedger(paths.stateDir);
  try {
    return ledger.totals().map(({decision, action, outcomes}) => [decision, action, outcomes]);
  } finally {
    ledger.close();
  }
}

describe('toolset = "auto" and edit_dialect = "auto"', () => {
  it('choose for the model, say why in the log, the notices and the status line, and learn the outcome', async () => {
    const {session, server} = await at();
    const {thread, started} = await run(session);
    const why = 'tries it: no outcome yet';
    expect([thread.toolReasons, thread.notes.slice(0, 2)]).toEqual([
      [`toolset vtcode: ${why}`, `edit dialect patch: ${why}`],
      [`Toolset vtcode: ${why}.`, `Edit dialect patch: ${why}.`],
    ]);
    const choice = expect.stringMatching(/^[0-9a-f]{24}$/);
    expect(started).toMatchObject({toolset: 'vtcode', toolset_choice: {why, choice}, edit_choice: {dialect: 'patch', why, choice}});
    const sent = server.requests[0]?.body['tools'] as readonly {function: {name: string}}[] | undefined;
    const tools = sent?.map((tool) => tool.function.name);
    expect(tools?.filter((name) => ['edit_file', 'edit', 'apply_patch', 'search_replace', 'exec_command'].includes(name))).toEqual([
      'apply_patch',
      'exec_command',
    ]);
    expect(learned(session)).toEqual([
      ['edit:ollama/m', 'patch', 1],
      ['toolset:ollama/m', 'vtcode', 1],
    ]);
  });

  it('choose what was best for this model, whatever was best for others', async () => {
    const {session} = await at();
    teach(session, 'toolset:ollama/m', {vtcode: false, fettle: true});
    teach(session, 'toolset:ollama/other', {vtcode: true, fettle: false});
    teach(session, 'edit:ollama/m', {patch: false, own: true});
    const {started} = await run(session);
    expect(started).toMatchObject({
      toolset: 'fettle',
      toolset_choice: {why: 'best so far: mean 1.00 of 1 outcome'},
      edit_choice: {dialect: 'own', why: 'best so far: mean 1.00 of 1 outcome'},
    });
  });

  it('keep the tools of a session, and its newest outcome counts', async () => {
    const {session} = await at({runs: 2});
    const first = await run(session);
    teach(session, 'toolset:ollama/m', {fettle: true});
    const again = await run(session, first.thread.id);
    const choiceOf = ({started}: Used, name: string) => (started?.[name] as {choice: string} | undefined)?.choice;
    expect(again.started).toMatchObject({
      toolset: 'vtcode',
      toolset_choice: {why: 'the session keeps its toolset', choice: choiceOf(first, 'toolset_choice')},
      edit_choice: {dialect: 'patch', why: 'the session keeps its edit dialect', choice: choiceOf(first, 'edit_choice')},
    });
    expect(learned(session)).toEqual([
      ['edit:ollama/m', 'patch', 1],
      ['toolset:ollama/m', 'fettle', 1],
      ['toolset:ollama/m', 'vtcode', 1],
    ]);
  });

  it('never leave a toolset with a tool that is switched off, under whatever name', async () => {
    const {session} = await at({
      top: 'toolset = "auto"\nedit_dialect = "auto"\ndisabled_tools = ["ba*", "*patch*"]',
      optimization: 'toolsets = ["vtcode", "none", "fettle"]\nedit_dialects = ["patch", "blocks"]',
    });
    const {thread, started} = await run(session);
    expect([started?.['toolset'], started?.['edit_choice']]).toEqual(['fettle', expect.objectContaining({dialect: 'blocks'})]);
    expect(thread.notes).toEqual(
      expect.arrayContaining([
        'The toolset vtcode is left out: it has exec_command, which does what disabled_tools switches off.',
        'The toolset none is left out: its name is unknown.',
        'The edit dialect patch is left out: its tool cannot be called with the toolset fettle and your settings.',
      ]),
    );
  });

  it('a toolset that never asks for reads asks for them where it was chosen', async () => {
    const {session} = await at({optimization: 'toolsets = ["microcode"]', top: 'toolset = "auto"'});
    const {settings} = session;
    const named = {...session, settings: {...settings, toolset: 'microcode'}};
    const chosen = {...named, toolsetChosen: true as const};
    expect([(await loadToolset(named)).toolset.asksForReads, (await loadToolset(chosen)).toolset.asksForReads]).toEqual([false, true]);
    const thread = await openThread({session}, never);
    onTestFinished(async () => void (await thread.close()));
    expect(thread.toolReasons).toEqual(['toolset microcode: tries it: no outcome yet']);
  });

  it.each([
    ['nothing is left', 'toolsets = ["none"]', {}, /^No toolset can be chosen\. The toolset none is left out/],
    ['none of the tools is switched on', 'toolsets = ["vtcode"]', {enabled_tools: ['read']}, /none of its tools is switched on/],
  ])('fail where %s', async (_, optimization, over, message) => {
    const {session} = await at({optimization, top: 'toolset = "auto"'});
    await expect(usableToolsets({...session.settings, ...over})).rejects.toMatchObject({
      code: 'CONFIG',
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ['toolset', 'enabled = false', 'toolset = "auto" needs learning, and that is off.'],
    ['edit_dialect', 'strategy = "bandit"', 'edit_dialect = "auto" has nothing to choose from.'],
  ])('%s says what to set', async (key, optimization, message) => {
    const {session} = await at({top: `${key} = "auto"`, optimization: 'strategy = "bandit"'});
    const off = optimization === 'enabled = false' ? {...session.settings.optimization, enabled: false} : session.settings.optimization;
    const opening = openThread({session: {...session, settings: {...session.settings, optimization: off}}}, never);
    await expect(opening).rejects.toMatchObject({code: 'CONFIG', message});
  });

  it('outside of a session the first candidate is shown', async () => {
    const {session} = await at();
    const {toolset, notices} = await loadToolset(session);
    expect([toolset.name, notices]).toEqual([
      'vtcode',
      ['toolset = "auto" is chosen when a session begins; here it is vtcode, the first candidate.'],
    ]);
  });
});
