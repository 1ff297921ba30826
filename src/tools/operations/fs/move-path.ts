import {moveEntry} from '../../../workspace/move-entry.ts';
import type {ToolContext} from '../../context.ts';
import type {Operation} from '../../operation.ts';
import {carryArgs, carryResult, planCarry, type Carry, type CarryArgs, type CarryResult} from './carried-entry.ts';

/**
 * Moves or renames a file, link or folder, and makes the folders above ("zblade tool calls › move_file"). An
 * existing entry is never replaced: BAD_ARGS.
 */
export const movePath: Operation<CarryArgs, CarryResult> = {
  id: 'fs.move',
  permission: 'write',
  args: carryArgs,
  result: carryResult,
  sideEffect: 'write',
  async resolve(args, resolving) {
    const carry = await planCarry(args, resolving);
    return {subjects: carry.subjects(true), run: async (ctx) => await move(carry, ctx)};
  },
};

async function move(carry: Carry, ctx: ToolContext): Promise<CarryResult> {
  await moveEntry(carry.from, carry.to, ctx.signal);
  ctx.files.moved(carry.from, carry.to);
  return carry.result(
    carry.reported.flatMap(({from, to}) => [
      {path: from, kind: 'delete' as const},
      {path: to, kind: 'add' as const},
    ]),
  );
}
