import type {ArithmeticExpression, ParameterExpansionPart, SyntaxNode} from 'unbash';
import {isSafeVariable} from './variables.ts';

/** The reason why a piece of syntax cannot be evaluated before it runs. */
export interface SyntaxRisk {
  readonly reason: string;
  /** 'command': the program that runs is unknown · 'value': the programs are known, but not everything they do. */
  readonly hides: 'command' | 'value';
}

/** The bash syntax that runs or stores something invisibly; its commands are evaluated all the same. `numeric`: variables known to hold numbers. */
export function syntaxRisk(node: SyntaxNode, numeric: ReadonlySet<string>): SyntaxRisk | undefined {
  return commandRisk(node) ?? valueRisk(expansionRisk(node) ?? calculationRisk(node, numeric) ?? storageRisk(node));
}

function valueRisk(reason: string | undefined): SyntaxRisk | undefined {
  return reason === undefined ? undefined : {reason, hides: 'value'};
}

function commandRisk(node: SyntaxNode): SyntaxRisk | undefined {
  switch (node.type) {
    case 'Function':
      return {reason: 'defines a function, which can replace a command', hides: 'command'};
    case 'CommandExpansion':
      return node.script === undefined ? {reason: 'runs a command that cannot be read', hides: 'command'} : undefined;
    default:
      return undefined;
  }
}

function expansionRisk(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'ProcessSubstitution':
      return 'runs a command named by a file name';
    case 'Coproc':
      return 'runs a coprocess';
    case 'ParameterExpansion':
      return parameterRisk(node);
    case 'HereDoc':
      return node.closing === undefined ? 'a here-document without an end' : undefined;
    case 'HereDocBody':
      return node.parts?.some((part) => part.type !== 'Literal') === true ? 'a here-document that the shell expands' : undefined;
    default:
      return undefined;
  }
}

/** `${x@P}`, `${!x}`, `${a[i]}`, `${x:=v}`, `${x:$i}` run or store something (CVE-2025-66032 and its kin); `${x:-v}`, `${x%.ts}` only read. */
function parameterRisk({prefix, index, operation}: ParameterExpansionPart): string | undefined {
  if (prefix === '!') return 'an indirect variable, which is run as code';
  if (index !== undefined && !/^(?:\d+|@|\*)$/.test(index.text)) return 'a subscript, which is run as code';
  switch (operation?.type) {
    case 'Transform':
    case 'Unknown':
    case 'Names':
      return 'an expansion that can run its value as code';
    case 'Default':
      return operation.operator.includes('=') ? 'an expansion that sets a variable' : undefined;
    case 'Slice':
      return [operation.offset, operation.length].every((part) => isNumber(part?.text.trim() ?? '0'))
        ? undefined
        : 'a calculated slice, which is run as code';
    default:
      return undefined;
  }
}

/** bash runs the subscripts of names in calculations, also quoted ones. */
function calculationRisk(node: SyntaxNode, numeric: ReadonlySet<string>): string | undefined {
  switch (node.type) {
    case 'ArithmeticExpansion':
    case 'ArithmeticCommand':
      return isPlainArithmetic(node.expression, numeric) ? undefined : 'calculates with names, whose values are run as code';
    case 'ArithmeticFor':
      return 'calculates with names, whose values are run as code';
    case 'TestUnary':
      return /^-[vR]$/.test(node.operator) ? 'asks for a variable, whose subscript is run as code' : undefined;
    case 'TestBinary':
      if (!/^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator)) return undefined;
      return isNumeric(node.left.value, numeric) && isNumeric(node.right.value, numeric)
        ? undefined
        : 'compares as numbers: names are run as code';
    default:
      return undefined;
  }
}

function storageRisk(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'For':
    case 'Select': {
      const name = node.name.value;
      return isSafeVariable(name, true) || isSafeVariable(name, false) ? undefined : `sets ${name}, which can change what runs`;
    }
    case 'Assignment':
      return node.index === undefined || isNumber(node.index.value) ? undefined : 'sets an element whose subscript is run as code';
    case 'FileDescriptorVariable':
      return 'stores a file descriptor in a variable';
    default:
      return undefined;
  }
}

function isNumber(text: string): boolean {
  return /^-?\d+$/.test(text);
}

/** A number, or a variable that holds one: `n`, `$n`, `"${n}"`. */
function isNumeric(text: string, numeric: ReadonlySet<string>): boolean {
  return (
    isNumber(text) ||
    numeric.has(
      /^"?\$?(?:(\w+)|\{(\w+)\})"?$/
        .exec(text)
        ?.slice(1)
        .find((name) => name !== undefined) ?? '',
    )
  );
}

function isPlainArithmetic(expression: ArithmeticExpression | undefined, numeric: ReadonlySet<string>): boolean {
  switch (expression?.type) {
    case 'ArithmeticWord':
      return isNumeric(expression.value, numeric);
    case 'ArithmeticBinary':
      return isPlainArithmetic(expression.left, numeric) && isPlainArithmetic(expression.right, numeric);
    case 'ArithmeticUnary':
      return isPlainArithmetic(expression.operand, numeric);
    case 'ArithmeticGroup':
      return isPlainArithmetic(expression.expression, numeric);
    default:
      return false;
  }
}
