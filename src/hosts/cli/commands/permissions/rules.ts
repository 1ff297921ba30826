import {FettleError} from '../../../../base/errors.ts';
import {grantsFile} from '../../../../config/grants.ts';
import {describeRule} from '../../../../policy/rules/describe-rule.ts';
import type {Rule, Verdict} from '../../../../policy/decision.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import {loadSettings} from '../../../../sdk/settings/load-settings.ts';
import type {SessionSettings} from '../../../../sdk/settings/session-settings.ts';
import {forgetRule, storeRule} from '../../../../sdk/settings/store-rule.ts';
import {configuredPolicy} from '../../../../sdk/tools/configured-policy.ts';
import type {Io} from '../../io.ts';
import {flagsOf, type SettingOptions} from '../../command-line/run-options.ts';

export interface StoreOptions {
  readonly cwd?: string;
  readonly asDeny?: true | undefined;
  readonly asAsk?: true | undefined;
  readonly everywhere?: true;
}

/** `fettle permissions list`: every rule in force, in the order in which they are looked at. */
export async function listRules(io: Io, options: SettingOptions & {readonly json?: true}): Promise<number> {
  const session = await loadSettings({cwd: options.cwd ?? io.cwd, env: io.env, home: io.home, flags: flagsOf(options)});
  const {mode, rules, notices} = await configuredPolicy(session);
  for (const notice of notices) io.note(notice);
  const ordered = ORDER.flatMap((effect) => rules.filter((rule) => rule.effect === effect));
  if (options.json === true) io.data(`${JSON.stringify({mode, rules: ordered}, null, 2)}\n`);
  else for (const rule of ordered) io.shown(`${line(rule)}\n`);
  return EXIT.done;
}

const ORDER: readonly Verdict[] = ['deny', 'ask', 'allow'];

function line({effect, text, source}: Rule): string {
  return `${effect.padEnd(5)} ${text}  # ${source}`;
}

/** `fettle permissions add`: stores a rule for this project, or everywhere. */
export async function addRule(io: Io, text: string, options: StoreOptions): Promise<number> {
  const session = await sessionOf(io, options);
  const effect = options.asDeny === true ? 'deny' : options.asAsk === true ? 'ask' : 'allow';
  for (const notice of await storeRule(session, {text, effect, everywhere: options.everywhere === true})) io.note(notice);
  io.note(effect === 'allow' ? `${effect} ${text.trim()}: ${describeRule(text)}` : `${effect} ${text.trim()}`);
  io.note(`Stored in ${grantsFile(session.paths.configDir)} for ${scope(session, options)}.`);
  return EXIT.done;
}

/** `fettle permissions remove`: takes a stored rule out again. */
export async function removeRule(io: Io, text: string, options: StoreOptions): Promise<number> {
  const session = await sessionOf(io, options);
  if ((await forgetRule(session, {text, everywhere: options.everywhere === true})) > 0) return EXIT.done;
  throw new FettleError({
    code: 'NOT_FOUND',
    message: `No rule "${text.trim()}" is stored for ${scope(session, options)}.`,
    hint: '`fettle permissions list` shows all rules and the file of each. --everywhere removes one that applies in every folder.',
  });
}

function scope({trust}: SessionSettings, {everywhere}: StoreOptions): string {
  return everywhere === true ? 'every folder' : trust.root;
}

function sessionOf(io: Io, {cwd}: StoreOptions): Promise<SessionSettings> {
  return loadSettings({cwd: cwd ?? io.cwd, env: io.env, home: io.home});
}
