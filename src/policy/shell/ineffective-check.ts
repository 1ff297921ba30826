import type {AndOr, Command, parse as Parse, Statement, SyntaxNode} from 'unbash';
import type {readLine as ReadLine} from './shell-line.ts';

/** `empty`: the line runs no command. `constant`: it ends with 0 whatever its commands find. */
export type CheckFlaw = 'empty' | 'constant';

/**
 * Returns why the exit code of a line says nothing about the work, or undefined if it may. A line that cannot be read has no flaw:
 * the shell refuses it.
 */
export async function checkFlaw(line: string): Promise<CheckFlaw | undefined> {
  if (line.length > MAX_READ) return undefined;
  const [syntax, {readLine}] = await Promise.all([import('unbash'), import('./shell-line.ts')]);
  try {
    const reader: Reader = {parse: syntax.parse, children: childrenOf(syntax.forEachChild)};
    const script = reader.parse(line);
    if (!runsSomething(script, reader) || runsWrappersOnly(readLine(line))) return 'empty';
    return decidesElsewhere(script, reader) || !endsWithZero(script.commands, reader) ? undefined : 'constant';
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined; // the stack of the parser
    throw thrown;
  }
}

/** Characters; longer than what a person would name as a check. */
const MAX_READ = 16 * 1024;

interface Reader {
  readonly parse: typeof Parse;
  readonly children: (node: SyntaxNode) => readonly SyntaxNode[];
}

function childrenOf(forEachChild: (node: SyntaxNode, visit: (child: SyntaxNode) => void) => void): Reader['children'] {
  return (node) => {
    const children: SyntaxNode[] = [];
    forEachChild(node, (child) => void children.push(child));
    return children;
  };
}

/** A function that is only defined runs nothing; what calls it is a command of its own. */
function runsSomething(node: SyntaxNode, reader: Reader): boolean {
  if (node.type === 'Command' && node.name !== undefined) return true;
  if (node.type === 'TestCommand' || node.type === 'ArithmeticCommand') return true;
  return node.type !== 'Function' && reader.children(node).some((child) => runsSomething(child, reader));
}

/** `sh -c ''`, `eval "# npm test"`: they run nothing. */
function runsWrappersOnly({commands, unresolved}: ReturnType<typeof ReadLine>): boolean {
  return (
    commands.length > 0 &&
    unresolved.length === 0 &&
    commands.every(({role, words}) => role === 'wrapper' && TAKES_LINES.test(words[0]?.value ?? ''))
  );
}

const TAKES_LINES = /^(?:.*\/)?(?:sh|bash|dash|zsh|ksh|eval)$/;

/** Commands by which a line can end, or take its status from, before its last command. */
const DECIDERS: ReadonlySet<string> = new Set(['exit', 'return', 'exec', 'set', 'trap', 'kill', 'source', '.', 'eval', 'shopt']);

function decidesElsewhere(node: SyntaxNode, reader: Reader): boolean {
  if (node.type === 'Command' && DECIDERS.has(node.name?.value ?? '') && !isExitZero(node)) return true;
  return reader.children(node).some((child) => decidesElsewhere(child, reader));
}

function endsWithZero(statements: readonly Statement[], reader: Reader): boolean {
  const last = statements.at(-1);
  return last !== undefined && isZero(last.command, reader);
}

function isZero(node: SyntaxNode, reader: Reader): boolean {
  switch (node.type) {
    case 'Command':
      return NO_OPS.has(node.name?.value ?? '') || isExitZero(node);
    case 'AndOr':
      return isZeroList(node, reader);
    case 'Pipeline':
      // `! true` ends with 1. In a pipe every part counts.
      return !node.prefixes.some(({type}) => type === 'Negation') && node.commands.every((part) => isZero(part, reader));
    case 'Subshell':
    case 'BraceGroup':
      return endsWithZero(node.body.commands, reader);
    default:
      return false;
  }
}

/** From left to right: `a || true` is always 0, `a && true` is not. */
function isZeroList({commands, operators}: AndOr, reader: Reader): boolean {
  const [first, ...rest] = commands.map((command) => isZero(command, reader));
  return rest.reduce((zero, next, index) => (operators[index] === '||' ? zero || next : zero && next), first ?? false);
}

const NO_OPS: ReadonlySet<string> = new Set([':', 'true', '/bin/true', '/usr/bin/true', 'echo', 'printf']);

function isExitZero({name, args}: Command): boolean {
  const [status] = args;
  return (name?.value === 'exit' || name?.value === 'return') && status?.type === 'Word' && status.value === '0';
}
