import {copyEntry} from '../../../workspace/copy-entry.ts';
import type {ToolContext} from '../../context.ts';
import type {Operation} from '../../operation.ts';
import {carryArgs, carryResult, planCarry, type Carry, type CarryArgs, type CarryResult} from './carried-entry.ts';

/**
 * Copies a file or a whole folder, with modes, links as links ("zblade tool calls › copy_file"). Copies
 * everything or nothing. An existing entry is never replaced: BAD_ARGS.
 */
export const copyPath: Operation<CarryArgs, CarryResult> = {
  id: 'fs.copy',
  permission: 'write',
  args: carryArgs,
  result: carryResult,
  sideEffect: 'write',
  async resolve(args, resolving) {
    const carry = await planCarry(args, resolving);
    return {subjects: carry.subjects(false), run: async (ctx) => await copy(carry, ctx)};
  },
};

async function copy(carry: Carry, ctx: ToolContext): Promise<CarryResult> {
  await copyEntry(carry.from, carry.to, ctx.signal);
  return carry.result(carry.reported.map(({to}) => ({path: to, kind: 'add'})));
}
