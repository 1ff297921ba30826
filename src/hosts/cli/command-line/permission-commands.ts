import {Option, type Command} from 'commander';
import type {Io} from '../io.ts';
import {addOptions} from './add-options.ts';
import {TOOL_OPTIONS} from './option-facts.ts';
import type {SettingOptions} from './run-options.ts';

/** `fettle permissions …`: what may run and why, and the rules that a person stores. */
export function addPermissionCommands(program: Command, io: Io, end: (exitCode: number) => void): void {
  const permissions = program.command('permissions').description('show what may run and why, and store rules');
  addOptions(permissions.command('check'), TOOL_OPTIONS)
    .description('print the decision on one call and its reasons as JSON; runs nothing')
    .argument('[tool]', 'the tool')
    .argument('[json]', 'its arguments')
    .option('--stdin', 'read one case per line: {id, tool, input, policy: {allow, ask, deny, default}, cwd, workspace}')
    .action(async (tool: string | undefined, json: string | undefined, options: SettingOptions & {stdin?: true}) => {
      const {checkPermission} = await import('../commands/permissions/check.ts');
      end(await checkPermission(io, {tool, json}, options));
    });
  addOptions(permissions.command('explain'), TOOL_OPTIONS)
    .description('explain how a call is parsed and decided; runs nothing')
    .argument('[tool]', 'the tool')
    .argument('[json]', 'its arguments')
    .option('--command <line>', 'explain a shell line instead of a tool and its arguments')
    .option('--json', 'print as JSON')
    .action(async (tool: string | undefined, json: string | undefined, options: SettingOptions & {command?: string; json?: true}) => {
      const {explainPermission} = await import('../commands/permissions/explain.ts');
      end(await explainPermission(io, {tool, json}, options));
    });
  addOptions(permissions.command('list'), TOOL_OPTIONS)
    .description('list the rules in force, in order of evaluation, and their sources')
    .option('--json', 'print as JSON')
    .action(async (options: SettingOptions & {json?: true}) => {
      const {listRules} = await import('../commands/permissions/rules.ts');
      end(await listRules(io, options));
    });
  addStoring(permissions, io, end);
}

function addStoring(permissions: Command, io: Io, end: (exitCode: number) => void): void {
  permissions
    .command('add')
    .description('store a rule for this project, outside its folder')
    .argument('<rule>', 'for example "bash:npm test *"')
    .addOption(new Option('--deny', 'deny what it matches').conflicts('ask'))
    .option('--ask', 'ask about what it matches')
    .option('--everywhere', 'store it for every folder')
    .option('-C, --cwd <folder>', 'the project')
    .action(async (rule: string, {deny, ask, ...options}: {deny?: true; ask?: true; cwd?: string; everywhere?: true}) => {
      const {addRule} = await import('../commands/permissions/rules.ts');
      end(await addRule(io, rule, {...options, asDeny: deny, asAsk: ask}));
    });
  permissions
    .command('remove')
    .description('remove a stored rule')
    .argument('<rule>', 'the rule, exactly as it was stored')
    .option('--everywhere', 'remove a rule that applies in every folder')
    .option('-C, --cwd <folder>', 'the project')
    .action(async (rule: string, options: {cwd?: string; everywhere?: true}) => {
      const {removeRule} = await import('../commands/permissions/rules.ts');
      end(await removeRule(io, rule, options));
    });
}
