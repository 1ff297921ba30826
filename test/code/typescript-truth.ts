import {readFileSync} from 'node:fs';
import {join, relative, sep} from 'node:path';
import ts from 'typescript-6';

/** An identifier of a project with what the TypeScript compiler says about it. */
export interface Sample {
  readonly path: string;
  readonly line: number;
  readonly character: number;
  readonly text: string;
  readonly category: 'name' | 'member' | 'type' | 'import' | 'declaration';
  /** `path:line:character` of each definition in the project; none where it is defined outside. */
  readonly definitions: readonly string[];
}

export interface Truth {
  readonly samples: readonly Sample[];
  /** Places of all references to what is declared there, `path:line:character`. */
  references(sample: Sample): string[];
}

/** What all projects share, the compiler's own declarations above all, is parsed once. */
const REGISTRY = ts.createDocumentRegistry();

/** Asks the compiler about `count` identifiers of the files, chosen by `random`. */
export function compilerTruth({
  root,
  files,
  count,
  random,
  options,
}: {
  readonly root: string;
  readonly files: readonly string[];
  readonly count: number;
  readonly random: () => number;
  readonly options?: ts.CompilerOptions;
}): Truth {
  const names = files.map((file) => join(root, file));
  const service = ts.createLanguageService(host(root, names, options ?? {}), REGISTRY);
  const program = service.getProgram();
  if (program === undefined) throw new Error('There is no program.');
  const known = new Set(files);
  const place = (span: ts.DocumentSpan): string | undefined => {
    const path = relative(root, span.fileName).split(sep).join('/');
    const source = program.getSourceFile(span.fileName);
    if (source === undefined || !known.has(path)) return undefined;
    const {line, character} = source.getLineAndCharacterOfPosition(span.textSpan.start);
    return `${path}:${line}:${character}`;
  };
  const all = files.flatMap((path, at) => {
    const source = program.getSourceFile(names[at] ?? '');
    return source === undefined ? [] : identifiers(source).map((node) => ({path, source, node}));
  });
  const picked = Array.from({length: Math.min(count, all.length)}, () => all.splice(Math.floor(random() * all.length), 1)[0]).filter(
    (one) => one !== undefined,
  );
  return {
    samples: picked.map(({path, source, node}) => {
      const at = node.getStart(source);
      const found = service.getDefinitionAtPosition(source.fileName, at) ?? [];
      // What an import brings from outside is not defined here, whether the compiler finds its module or not.
      const definitions = found
        .filter(({kind}) => kind !== ts.ScriptElementKind.alias)
        .map(place)
        .filter((one) => one !== undefined);
      return {
        path,
        ...source.getLineAndCharacterOfPosition(at),
        text: node.text,
        category: categoryOf(node),
        definitions: [...new Set(definitions)],
      };
    }),
    references(sample) {
      const source = program.getSourceFile(join(root, sample.path));
      if (source === undefined) return [];
      const at = source.getPositionOfLineAndCharacter(sample.line, sample.character);
      const groups = service.findReferences(source.fileName, at) ?? [];
      return [...new Set(groups.flatMap(({references}) => references.map(place)).filter((one) => one !== undefined))].sort();
    },
  };
}

function host(root: string, names: readonly string[], options: ts.CompilerOptions): ts.LanguageServiceHost {
  return {
    getScriptFileNames: () => [...names],
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => (ts.sys.fileExists(file) ? ts.ScriptSnapshot.fromString(readFileSync(file, 'utf8')) : undefined),
    getCurrentDirectory: () => root,
    getCompilationSettings: () => ({
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      allowImportingTsExtensions: true,
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      jsx: ts.JsxEmit.Preserve,
      allowJs: true,
      ...options,
    }),
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: (file) => ts.sys.fileExists(file),
    readFile: (file) => ts.sys.readFile(file),
    directoryExists: (folder) => ts.sys.directoryExists(folder),
    getDirectories: (folder) => ts.sys.getDirectories(folder),
    readDirectory: ts.sys.readDirectory,
  };
}

function identifiers(source: ts.SourceFile): ts.Identifier[] {
  const found: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text !== '' && !ts.isJSDoc(node.parent)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function categoryOf(node: ts.Identifier): Sample['category'] {
  const {parent} = node;
  if (ts.isImportSpecifier(parent) || ts.isImportClause(parent) || ts.isExportSpecifier(parent) || ts.isNamespaceImport(parent))
    return 'import';
  if ((ts.isPropertyAccessExpression(parent) && parent.name === node) || (ts.isQualifiedName(parent) && parent.right === node))
    return 'member';
  if (ts.isTypeReferenceNode(parent) || ts.isExpressionWithTypeArguments(parent) || ts.isQualifiedName(parent)) return 'type';
  const declared = 'name' in parent && parent.name === node;
  return declared && !ts.isPropertyAccessExpression(parent) ? 'declaration' : 'name';
}
