import {counted} from '../../base/counted.ts';
import type {SymbolsResult} from '../operations/symbols/find-symbols.ts';
import type {OutlineView} from '../operations/symbols/symbol-outline.ts';
import type {EdgeView, SymbolView} from '../operations/symbols/symbol-view.ts';

/** Formats answers of the index briefly for models; lines count from 1, as everywhere in this toolset. */
export function symbolsText(
  result: SymbolsResult,
  how = 'narrow it with path or kind, or raise limit',
): {readonly text: string; readonly summary: string} {
  const {lines, summary} = FORMS[result.action](result as never);
  const {building, ...found} = result.found;
  const notes = [
    ...('truncated' in found && found.truncated ? [`[more; ${how}]`] : []),
    ...(building === undefined ? [] : [`[the index is being built: ${building.done} of ${building.total} files so far]`]),
  ];
  return {text: [...lines, ...notes].join('\n'), summary};
}

type Of<Action extends SymbolsResult['action']> = Extract<SymbolsResult, {action: Action}>;

interface Reported {
  readonly lines: readonly string[];
  readonly summary: string;
}

const FORMS: {readonly [Action in SymbolsResult['action']]: (result: Of<Action>) => Reported} = {
  search({found}) {
    const lines = found.results.map(({symbol}) => placed(symbol));
    return {lines: lines.length === 0 ? [`No symbol fits "${found.query}".`] : lines, summary: counted(found.results.length, 'symbol')};
  },
  outline({found}) {
    const lines = outlineLines(found.outline, '');
    return {lines: lines.length === 0 ? [`${found.path} has no symbols.`] : lines, summary: counted(lines.length, 'symbol')};
  },
  show({found}) {
    const {symbol, incoming, outgoing} = found;
    const doc = symbol.docstring === undefined ? [] : [indented(symbol.docstring)];
    return {
      lines: [
        placed(symbol),
        `  id ${symbol.id}`,
        ...doc,
        // The container comes after its name.
        ...group(
          'used by',
          incoming.filter(({relationship_type: kind}) => kind !== 'contains'),
          (edge) => `${place(edge)} ${edge.relationship_type}${within(edge)}`,
        ),
        ...group(
          'uses',
          knownFirst(outgoing.filter(({relationship_type: kind}) => kind !== 'contains')),
          (edge) => `${edge.relationship_type} ${edge.target_symbol_id ?? edge.target_name}`,
        ),
        ...group(
          'has',
          outgoing.filter(({relationship_type: kind}) => kind === 'contains'),
          (edge) => (edge.target_symbol === undefined ? edge.target_name : `${edge.line + 1} ${declared(edge.target_symbol)}`),
        ),
      ],
      summary: `${symbol.qualified_name}: ${incoming.length} in, ${outgoing.length} out`,
    };
  },
  references({found}) {
    const {symbol, symbols = symbol === undefined ? [] : [symbol], references, unproven} = found;
    return {
      lines: [
        ...symbols.map(placed),
        ...references.map((edge) => `  ${place(edge)} ${edge.relationship_type}${within(edge)}`),
        ...group('same name, meaning not proved', unproven, (edge) => `${place(edge)}${within(edge)}`),
      ],
      summary: counted(references.length, 'reference'),
    };
  },
};

/** Unresolved names come last. */
function knownFirst(edges: readonly EdgeView[]): readonly EdgeView[] {
  return edges.toSorted((a, b) => Number(a.target_symbol_id === undefined) - Number(b.target_symbol_id === undefined));
}

/** Formats `src/a.ts:12 method Server.start(port: number): void`. */
function placed(symbol: SymbolView): string {
  return `${symbol.file_path}:${symbol.range.start.line + 1} ${described(symbol)}`;
}

function described(symbol: SymbolView): string {
  const {qualified_name: qualified} = symbol;
  const inner = qualified.includes('.') ? ` in ${qualified.slice(0, qualified.lastIndexOf('.'))}` : '';
  return `${declared(symbol)}${inner}`;
}

/** Returns the declaration, preceded by the kind of the symbol unless it contains that: `class Server`, `method start(port: number)`. */
function declared({symbol_type: kind, signature}: SymbolView): string {
  const words = signature.replace(/^export (?:default )?/, '');
  const isSaid = new RegExp(`^(?:\\w+ )*${kind}\\b`).test(words) || (VALUES.has(kind) && /^(?:const|let|var|val|static)\s/.test(words));
  return isSaid ? words : `${kind} ${words}`;
}

const VALUES: ReadonlySet<string> = new Set(['constant', 'variable']);

function outlineLines(nodes: readonly OutlineView[], indent: string): string[] {
  return nodes.flatMap(({children, ...symbol}) => [
    `${indent}${symbol.range.start.line + 1}-${symbol.range.end.line + 1} ${declared(symbol)}`,
    ...outlineLines(children, `${indent}  `),
  ]);
}

function group(title: string, edges: readonly EdgeView[], line: (edge: EdgeView) => string): string[] {
  if (edges.length === 0) return [];
  const lines = new Set(edges.map(line));
  return [`  ${title}:`, ...[...lines].map((text) => `    ${text}`)];
}

function place({file_path: path, line, character}: EdgeView): string {
  return `${path}:${line + 1}:${character + 1}`;
}

function within({source_symbol: source}: EdgeView): string {
  return source === undefined ? '' : ` in ${source.qualified_name}`;
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
