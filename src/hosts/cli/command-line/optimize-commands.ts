import type {Command} from 'commander';
import type {Io} from '../io.ts';
import type {End} from './parsing.ts';

/** `fettle optimize …`. */
export function addOptimizeCommands(program: Command, io: Io, end: End): void {
  const optimize = program.command('optimize').description('show, explain and control what was learned from outcomes');
  optimize
    .command('show')
    .description('list the actions with their choices, outcomes and mean reward')
    .argument('[decision]', 'only of this decision')
    .option('--json', 'print as JSON')
    .action(async (decision: string | undefined, options: {json?: true}) => {
      const {showLearned} = await import('../commands/optimize.ts');
      end(await showLearned(io, decision, options));
    });
  optimize
    .command('explain')
    .description('show what would be chosen next, and why')
    .argument('[decision]', 'only for this decision')
    .argument('[action...]', 'among these actions; defaults to all that are known')
    .option('--json', 'print as JSON')
    .action(async (decision: string | undefined, actions: string[], options: {json?: true}) => {
      const {explainNext} = await import('../commands/optimize.ts');
      end(await explainNext(io, decision === undefined ? [] : [decision, ...actions], options));
    });
  optimize
    .command('freeze')
    .description('choose the best so far from now on, without exploring and learning')
    .option('--off', 'explore and learn again')
    .option('--json', 'print as JSON')
    .action(async (options: {off?: true; json?: true}) => {
      const {freeze} = await import('../commands/optimize.ts');
      end(await freeze(io, options));
    });
  optimize
    .command('reset')
    .description('forget what was learned')
    .argument('[decision]', 'only of this decision')
    .option('--yes', 'without asking')
    .option('--json', 'print as JSON')
    .action(async (decision: string | undefined, options: {yes?: true; json?: true}) => {
      const {resetLearned} = await import('../commands/optimize.ts');
      end(await resetLearned(io, decision, options));
    });
}
