import {FettleError} from '../../../base/errors.ts';
import {configJsonSchema} from '../../../config/json-schema.ts';
import {hideValues} from '../../../config/mask-values.ts';
import {originText, keyPathText} from '../../../config/origin.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import {checkSettings} from '../../../sdk/settings/check-settings.ts';
import {loadSettings} from '../../../sdk/settings/load-settings.ts';
import type {SessionSettings} from '../../../sdk/settings/session-settings.ts';
import type {Io} from '../io.ts';
import {flagsOf, type SettingOptions} from '../command-line/run-options.ts';

interface Options extends SettingOptions {
  readonly json?: true;
}

/** `fettle config show|check|schema|path`. */
export const configCommands = {
  async show(io: Io, options: Options): Promise<number> {
    const {settings, origins, rules, notices} = await load(io, options);
    for (const notice of notices) io.note(notice);
    if (options.json === true) {
      io.data(`${JSON.stringify({settings: hideValues(settings), rules, origins}, null, 2)}\n`);
      return EXIT.done;
    }
    for (const [key, value] of flatten(hideValues(settings))) {
      const origin = origins[key];
      io.data(`${key} = ${JSON.stringify(value) ?? '(not set)'}  # ${origin === undefined ? 'default' : originText(origin)}\n`);
    }
    for (const rule of rules) io.data(`${rule.effect} ${rule.text}  # ${rule.source}\n`);
    return EXIT.done;
  },

  async check(io: Io, options: Options): Promise<number> {
    const {session, notices, ...found} = await checkSettings({...io, flags: flagsOf(options)});
    const problems = [...found.problems, ...(await keyProblems(session))];
    for (const notice of notices) io.note(notice);
    if (problems.length > 0) {
      const hint = '`fettle config schema` prints what is allowed.';
      throw new FettleError({code: 'CONFIG', message: problems.join('\n'), hint});
    }
    const {files} = session;
    const read = files.filter((file) => file.applied).map((file) => file.path);
    io.data(read.length === 0 ? 'No configuration file; the defaults are in force.\n' : `${read.join('\n')}: no errors\n`);
    return EXIT.done;
  },

  async schema(io: Io): Promise<number> {
    io.data(`${JSON.stringify(configJsonSchema(), null, 2)}\n`);
    return EXIT.done;
  },

  async path(io: Io, options: Options): Promise<number> {
    const {files} = await load(io, options);
    for (const {path, exists, applied} of files) {
      io.data(`${path}  ${applied ? 'read' : exists ? 'not applied' : 'does not exist'}\n`);
    }
    return EXIT.done;
  },
};

/** Lists the problems of `[terminal] keys`: the screen knows its keys, not the schema. */
async function keyProblems({settings, origins}: SessionSettings): Promise<readonly string[]> {
  const {problemsOfKeys} = await import('./tui.ts');
  return problemsOfKeys(settings.terminal.keys).map(({action, text}) => {
    const key = keyPathText(['terminal', 'keys', action]);
    const origin = origins[key];
    return `${origin === undefined ? '' : `${originText(origin)}: `}${key}: ${text}`;
  });
}

async function load(io: Io, options: Options): Promise<SessionSettings> {
  return await loadSettings({...io, flags: flagsOf(options)});
}

/** `limits.max_turns` → value, for every leaf. */
function flatten(value: unknown, prefix = ''): [string, unknown][] {
  return Object.entries(value ?? {}).flatMap(([key, child]: [string, unknown]) => {
    const name = `${prefix}${key}`;
    return typeof child === 'object' && child !== null && !Array.isArray(child) ? flatten(child, `${name}.`) : [[name, child]];
  });
}
