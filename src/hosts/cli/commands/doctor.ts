import {access, constants, mkdir} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {systemErrorCode, toFettleError} from '../../../base/errors.ts';
import {createExecEnvironment} from '../../../exec/create-environment.ts';
import {missingKey} from '../../../models/missing-key.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import {createSearchEngine} from '../../../search/create-engine.ts';
import {loadSettings} from '../../../sdk/settings/load-settings.ts';
import {autoModels} from '../../../sdk/settings/auto-choices.ts';
import type {SessionSettings} from '../../../sdk/settings/session-settings.ts';
import {VERSION} from '../../../sdk/version.ts';
import type {Io} from '../io.ts';
import {ownFolderError} from '../output/state-folder-error.ts';
import {flagsOf, type SettingOptions} from '../command-line/run-options.ts';

interface Finding {
  readonly state: 'ok' | 'note' | 'bad';
  readonly text: string;
}

/** `fettle doctor`: checks the requirements of Fettle, and reports missing ones. Exit code 0 if it can work, else 1. */
export async function doctor(io: Io, options: SettingOptions): Promise<number> {
  const session = await loadSettings({...io, flags: flagsOf(options)});
  const tried = await Promise.all([
    attempt('commands', session, () => shell(session)),
    attempt('search', session, () => search()),
    attempt('state folder', session, () => stateFolder(session)),
    attempt('git', session, () => program(session, 'git', '--version')),
    sandbox(session),
  ]);
  const schedule = await scheduled(session);
  const notices = session.notices.map((text): Finding => ({state: 'note', text: `config: ${text}`}));
  const findings = [runtime(), ...tried, model(session), ...schedule, ...notices];
  for (const {state, text} of findings) io.data(`${io.paint(COLOUR[state], state.padEnd(4))}  ${text}\n`);
  return findings.some(({state}) => state === 'bad') ? EXIT.failed : EXIT.done;
}

const COLOUR = {ok: 'green', note: 'yellow', bad: 'red'} as const;

function runtime(): Finding {
  return {state: 'ok', text: `fettle ${VERSION} on Node ${process.versions.node}, ${process.arch}`};
}

async function attempt(what: string, session: SessionSettings, check: () => Promise<Finding>): Promise<Finding> {
  try {
    return await check();
  } catch (thrown) {
    return {state: 'bad', text: `${what}: ${problem(thrown, session)}`};
  }
}

const temporaryFolder = tmpdir();

/** Describes a problem, and what to do next. */
function problem(thrown: unknown, {env, home}: SessionSettings): string {
  if (thrown instanceof Error && 'syscall' in thrown && thrown.syscall === 'mkdtemp') {
    return `temporary files cannot be written in ${temporaryFolder} (${systemErrorCode(thrown)}). Set TMPDIR to a folder that you can write.`;
  }
  const {message, hint} = ownFolderError(thrown, {env, home}) ?? toFettleError(thrown);
  return hint === undefined ? message : `${message} ${hint}`;
}

async function shell(session: SessionSettings): Promise<Finding> {
  const environment = createExecEnvironment({cwd: tmpdir(), spoolDir: session.paths.stateDir, env: session.env});
  const result = await environment.run({shell: 'echo $BASH_VERSION', timeoutMs: 5000, capture: SMALL}, AbortSignal.timeout(6000));
  const version = result.stdout.head.trim();
  return {state: 'ok', text: version === '' ? 'commands run with sh: there is no bash' : `commands run with bash ${version}`};
}

/** A problem only if commands are to run in the sandbox. */
async function sandbox(session: SessionSettings): Promise<Finding> {
  const {sandboxProfile} = await import('../../../sdk/tools/open-command-sandbox.ts');
  const isWanted = sandboxProfile(session) !== 'off';
  try {
    const {tryCommandSandbox} = await import('../../../sdk/tools/try-command-sandbox.ts');
    const {name, holes} = await tryCommandSandbox(session);
    if (holes.length > 0) return {state: 'bad', text: `sandbox: ${name} does not hold: ${holes.join('; ')}`};
    return {state: 'ok', text: `sandbox: ${name} holds: no write outside, none to what is protected, no connection`};
  } catch (thrown) {
    return {state: isWanted ? 'bad' : 'note', text: `sandbox: ${problem(thrown, session)}`};
  }
}

async function search(): Promise<Finding> {
  const {name} = createSearchEngine();
  return name === 'ripgrep'
    ? {state: 'ok', text: 'search uses ripgrep'}
    : {state: 'note', text: 'search uses the built-in engine: ripgrep is missing, large folders take longer'};
}

async function stateFolder({paths}: SessionSettings): Promise<Finding> {
  await mkdir(paths.stateDir, {recursive: true, mode: 0o700});
  await access(paths.stateDir, constants.W_OK);
  return {state: 'ok', text: `sessions are saved in ${paths.stateDir}`};
}

async function program(session: SessionSettings, name: string, ...args: string[]): Promise<Finding> {
  const environment = createExecEnvironment({cwd: tmpdir(), spoolDir: session.paths.stateDir, env: session.env});
  try {
    const result = await environment.run({program: name, args, timeoutMs: 5000, capture: SMALL}, AbortSignal.timeout(6000));
    return {state: 'ok', text: result.stdout.head.trim()};
  } catch {
    return {state: 'note', text: `${name} is not installed; Fettle works without it`};
  }
}

/** Nothing where there are no jobs. */
async function scheduled({env, home}: SessionSettings): Promise<readonly Finding[]> {
  const {doctorLine} = await import('./schedule/doctor-line.ts');
  const line = await doctorLine({env, home});
  return line === undefined ? [] : [line];
}

/** Undefined if the model is not chosen automatically. */
function autoModel(settings: SessionSettings['settings']): Finding | undefined {
  try {
    const models = autoModels(settings);
    return models === undefined ? undefined : {state: 'ok', text: `model auto: one of ${models.join(', ')}`};
  } catch (thrown) {
    return {state: 'bad', text: toFettleError(thrown).message};
  }
}

function model({settings, providerSettings}: SessionSettings): Finding {
  if (settings.model === undefined)
    return {state: 'note', text: 'no model is configured; `fettle demo` needs none, `fettle init` writes a file to name one'};
  const auto = autoModel(settings);
  if (auto !== undefined) return auto;
  const variable = missingKey(settings.model, providerSettings);
  if (variable !== undefined) return {state: 'bad', text: `model ${settings.model}: ${variable} is not set`};
  return {state: 'ok', text: `model ${settings.model}; \`fettle models test\` sends it a request`};
}

const SMALL = {headBytes: 4096, tailBytes: 4096};
