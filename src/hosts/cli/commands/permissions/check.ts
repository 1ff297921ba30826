import {join, resolve} from 'node:path';
import {FettleError} from '../../../../base/errors.ts';
import {isJsonObject, parseJson, type JsonObject} from '../../../../base/json.ts';
import type {Decision} from '../../../../policy/decision.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import {judgeCall} from '../../../../sdk/tools/judge-call.ts';
import {loadSettings} from '../../../../sdk/settings/load-settings.ts';
import type {SessionSettings} from '../../../../sdk/settings/session-settings.ts';
import type {Io} from '../../io.ts';
import {flagsOf, type SettingOptions} from '../../command-line/run-options.ts';

interface Call {
  readonly tool: string | undefined;
  readonly json: string | undefined;
}

/** `fettle permissions check`: decides and explains; runs nothing. Exit code 3 if the decision is deny. */
export async function checkPermission(io: Io, {tool, json}: Call, options: SettingOptions & {readonly stdin?: true}): Promise<number> {
  const session = await loadSettings({cwd: options.cwd ?? io.cwd, env: io.env, home: io.home, flags: flagsOf(options)});
  // Parts left out of the settings affect decisions, too.
  for (const notice of session.notices) io.note(notice);
  if (options.stdin === true) {
    for (const line of (await io.readStdin()).split('\n')) {
      if (line.trim() !== '') io.data(`${JSON.stringify(await evaluateCase(line, session))}\n`);
    }
    return EXIT.done;
  }
  const input = json === undefined ? undefined : parseJson(json);
  if (tool === undefined || input === undefined) {
    throw new FettleError({
      code: 'USAGE',
      message: 'A tool and its arguments as JSON are needed.',
      hint: `fettle permissions check bash '{"command": "git status"}'`,
    });
  }
  const decision = await judgeCall({session, tool, input});
  io.data(`${JSON.stringify(explained(decision), null, 2)}\n`);
  return decision.verdict === 'deny' ? EXIT.denied : EXIT.done;
}

/** One line of a table. A line that cannot be evaluated is an `error` with its reason, and never ends the table. */
async function evaluateCase(line: string, session: SessionSettings): Promise<JsonObject> {
  const value = parseJson(line);
  if (!isJsonObject(value)) return {id: null, decision: 'error', reason: 'The line is not a JSON object.', rule: null, parts: []};
  const id = value['id'] ?? null;
  try {
    const decision = await judgeCall({
      session: {...session, ...place(value, session)},
      tool: typeof value['tool'] === 'string' ? value['tool'] : '',
      input: value['input'] ?? null,
      policy: isJsonObject(value['policy']) ? value['policy'] : undefined,
    });
    return {id, ...explained(decision)};
  } catch (thrown) {
    return {id, decision: 'error', reason: thrown instanceof Error ? thrown.message : String(thrown), rule: null, parts: []};
  }
}

function place(value: JsonObject, {cwd}: SessionSettings): {cwd: string; workspaceRoot: string} {
  const at = typeof value['cwd'] === 'string' ? resolve(cwd, value['cwd']) : cwd;
  return {cwd: at, workspaceRoot: typeof value['workspace'] === 'string' ? join(value['workspace']) : at};
}

function explained(decision: Decision): JsonObject {
  return {
    decision: decision.verdict,
    reason: decision.reason,
    decided_by: decision.decidedBy,
    rule: decision.rule === undefined ? null : {...decision.rule},
    parts: decision.parts.map(({text, verdict, reason, rule}) => ({text, verdict, reason, rule: rule === undefined ? null : {...rule}})),
    would_allow: decision.wouldAllow ?? null,
  };
}
