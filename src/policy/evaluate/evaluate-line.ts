import {MAX_WORDS, looksAtNames, onlyReads, pathConcern, pathUses, protectedUse, type PathUse} from '../programs/command-paths.ts';
import {expandUses, hasPlainGlobs} from '../programs/expand-uses.ts';
import type {Subject} from '../decision.ts';
import {isLookingRule, lookingRules} from '../rules/default-rules.ts';
import {judgeRead, judgeWrite, restrictedPath} from './evaluate-path.ts';
import {
  byCaution,
  byDefault,
  byMode,
  byRule,
  harmless,
  refused,
  withinReach,
  TOO_MUCH,
  type Court,
  type Judged,
} from './evaluation-context.ts';
import {allowsCommand, allowsWrapped, commandFace, meetsCommand} from '../rules/match-command.ts';
import {onlyLooks} from '../read-only/is-read-only.ts';
import type {GlobReader} from '../rules/match-path.ts';
import {operandRisks} from './operand-risks.ts';
import {namesCall, type ParsedRule} from '../rules/parse-rule.ts';
import {programRisks, type Risk} from '../risks/program-risks.ts';
import {isPublicFolder, secretGlob, secretRead} from '../places/protected-paths.ts';
import {MAX_READ, readLine, type LineCommand} from '../shell/shell-line.ts';
import {isControlWord} from '../shell/shell-change.ts';
import {cdTarget, foldersAlong, pathsOf, type LineFolders, type ShellPath} from '../shell/shell-paths.ts';
import type {FileRedirect, Unclear} from '../shell/shell-parts.ts';
import type {ShellWord} from '../shell/shell-word.ts';
import {deniedBelow} from './recursive-reads.ts';
import {ruleBook, type RuleBook} from '../rules/rule-book.ts';
import {exactRule, suggestRule} from '../rules/suggest-rule.ts';
import {programName} from '../programs/unwrap.ts';
import {spend} from '../budget.ts';

type CommandSubject = Extract<Subject, {kind: 'command'}>;

/** Judges every part of a shell line: each command at every depth, each file it redirects to, and what cannot be understood. */
export function judgeLine(subject: CommandSubject, court: Court): readonly Judged[] {
  const text = subject.command;
  if (text.trim() === '') return [refused(text, 'there is no command')];
  const line = readLine(text);
  const along = foldersAlong(line.commands, subject.workspace ?? subject.cwd, subject.cwd);
  const folders = along.at(-1) ?? {workspace: subject.cwd, bases: []};
  const context: LineCourt = {
    ...court,
    folders,
    isLast: false,
    isCrowded: line.commands.length > CROWDED,
    plainGlobs: hasPlainGlobs(text, line.commands),
    writers: line.commands.filter(({words, role}) => role === 'plain' && !onlyReads(words)),
    rulesOfTool: toolRules(court),
  };
  const parts = [
    () => judgeWhole(text.slice(0, MAX_READ), context),
    ...line.commands.map(
      (command, index) => () =>
        judgeCommand(command, {...context, folders: along[index] ?? folders, isLast: index > 0 && index === line.commands.length - 1}),
    ),
    ...line.redirects.map((redirect) => () => judgeRedirect(redirect, context)),
  ];
  const judged = withinReach(parts, () => byCaution(text, court, TOO_MUCH));
  if (text.includes('\0')) judged.push(refused(text, 'has a NUL character'));
  const unclear = line.unclear.flatMap((part) => judgeUnclear(part, context));
  const all = [...judged, ...unclear];
  if (all.length === 0)
    all.push(
      /^\s*[A-Za-z_]\w*\+?=/.test(text)
        ? harmless(text, 'it only sets variables of the line')
        : byCaution(text, court, 'there is no command in it'),
    );
  return court.policy.mode === 'plan' ? all.map((part) => inPlan(part, court)) : all;
}

/** Where nothing may change, only what was shown to change nothing runs; no rule of anybody widens that. */
function inPlan(part: Judged, court: Court): Judged {
  return part.verdict === 'deny' || part.harmless === true ? part : byMode(part.text, court, 'deny');
}

interface LineCourt extends Court {
  /** Of the command; for redirects of the whole line. */
  readonly folders: LineFolders;
  /** The last of several commands. */
  readonly isLast: boolean;
  /** So many commands that those behind the first hundreds are only compared with deny rules. */
  readonly isCrowded: boolean;
  /** The stars of the line never stand for a leading dot, nor for more than one name. */
  readonly plainGlobs: boolean;
  /** The commands that may make or rename files: behind another one of them nobody knows what a glob stands for. */
  readonly writers: readonly LineCommand[];
  /** The rules that speak of this tool. */
  readonly rulesOfTool: RuleBook;
}

/**
 * What is denied or asked for a shell holds for a command of any other tool, too (design §4: a custom tool's commands are judged by the same
 * rules). What is allowed there is not: the tool may do more than the command that it declares.
 */
function toolRules({request: {toolNames}, rules}: Court): RuleBook {
  // That a command outlives the session is asked about beside the command itself.
  const wide = toolNames[0] === 'keep' ? toolNames : [...toolNames, 'bash'];
  const ours = (list: readonly ParsedRule[], names: readonly string[]): ParsedRule[] => list.filter((rule) => namesCall(rule, names));
  return {deny: ours(rules.deny, wide), ask: ours(rules.ask, wide), allow: ours(rules.allow, toolNames)};
}

/** The raw text, too: whatever the parser makes of it, a denied line stays denied. */
function judgeWhole(text: string, court: LineCourt): Judged[] {
  const words = text.trim().split(/\s+/);
  const raw = {
    text: text.trim(),
    repeated: false,
    via: [],
    words: words.map((word) => ({text: word, value: word, prefix: word, glob: /[*?[]/.test(word)})),
  };
  const face = commandFace(raw);
  const denied = court.rulesOfTool.deny.find((rule) => meetsCommand(rule, face) === 'yes');
  return denied === undefined ? [] : [byRule(text, denied)];
}

const CROWDED = 300;

const STEPS_A_COMMAND = 3;
const WORDS_A_STEP = 4;
/** A rule that speaks of another program is passed over so fast. */
const RULES_A_STEP = 4;

/** The files of a longer guess are those of the command it was guessed from. */
const MAX_GUESS_WITH_PATHS = 24;

function judgeCommand(command: LineCommand, court: LineCourt): Judged[] {
  spend(STEPS_A_COMMAND + command.words.length / WORDS_A_STEP);
  const isLongGuess = command.role === 'guess' && (court.isCrowded || command.words.length > MAX_GUESS_WITH_PATHS);
  const uses = isLongGuess ? [] : usesOf(command, court);
  const byWords = restrictedCommand(command, court);
  const restricted = byWords ?? restrictedByPaths(command, uses, court) ?? restrictedUse(command, uses, court);
  if (restricted?.verdict === 'deny') return [restricted];
  // `find -exec rm -rf {}` may be what is denied: that is asked in every mode.
  if (command.role === 'guess') return byWords === undefined ? [] : [byWords];
  if (restricted !== undefined) return [restricted];
  if (command.role === 'wrapper') return [];
  return [judgePlain(command, uses, court)];
}

/** The files that a command is given; what its globs stand for is found out where nothing in the line may change it. */
function usesOf(command: LineCommand, court: LineCourt): readonly PathUse[] {
  const {words, role} = command;
  const uses = pathUses(words, court.folders);
  if (!uses.some(({glob}) => glob !== 'none')) return uses;
  if (!court.plainGlobs) return uses.map((use) => (use.glob === 'shell' ? {...use, glob: 'any'} : use));
  if (role === 'guess' || court.writers.some((writer) => writer !== command)) return uses;
  const files = {...court, request: {...court.request, toolNames: ['read']}};
  const isRuled = (path: ShellPath): boolean => restrictedFile(path, files) !== undefined;
  return expandUses(uses, {words, folders: court.folders, listFolder: court.request.listFolder, isRuled});
}

/** Rules for reads and for writes: what the command does with the file is not asked. */
function restrictedFile(path: ShellPath, files: Court, reader: GlobReader = 'none'): Judged | undefined {
  return restrictedPath({...path, write: true}, files, reader);
}

/** `cd /; rm -rf .` and `rm -rf ../../..` name what `rm -rf /*` denies: paths that lead out are judged by what they lead to, too. */
function restrictedByPaths(command: LineCommand, uses: readonly PathUse[], court: LineCourt): Judged | undefined {
  const outside = uses.flatMap(({index, text, paths}) =>
    (paths ?? []).filter((path) => !path.inside && path.path !== text).map(({path}) => [index, path] as const),
  );
  if (outside.length === 0) return undefined;
  const real = new Map(outside);
  const words = command.words.map((word, index) =>
    word.value?.startsWith('-') === true ? word : {...word, value: real.get(index) ?? word.value},
  );
  return restrictedCommand({...command, words}, court);
}

/** Deny before ask; what may turn out to be denied is asked. */
function restrictedCommand(command: LineCommand, court: LineCourt): Judged | undefined {
  spend((court.rulesOfTool.deny.length + court.rulesOfTool.ask.length) / RULES_A_STEP);
  const face = commandFace(command);
  let maybe: Judged | undefined;
  for (const rule of court.rulesOfTool.deny) {
    const meets = meetsCommand(rule, face);
    if (meets === 'yes') return byRule(command.text, rule);
    if (meets === 'maybe')
      maybe ??= {...byRule(command.text, rule, 'ask'), reason: `it cannot be known whether ${rule.rule.text} denies it`};
  }
  if (maybe !== undefined || command.role === 'guess') return maybe;
  const asked = court.rulesOfTool.ask.find((rule) => meetsCommand(rule, face) !== 'no');
  return asked === undefined ? undefined : byRule(command.text, asked);
}

/** Rules about files hold for the words of a command, too: `cat .env` is a read. */
function restrictedUse(command: LineCommand, uses: readonly PathUse[], court: LineCourt): Judged | undefined {
  const files = {...court, request: {...court.request, toolNames: ['read']}};
  const found = uses.flatMap((use) =>
    (use.paths ?? []).flatMap((path) => {
      const judged = restrictedFile(path, files, use.glob);
      if (judged === undefined || (judged.rule?.effect === 'ask' && isSpared(command.words, use, path))) return [];
      return [judged.verdict === 'deny' || path.inside ? judged : {...judged, place: NO_RULE}];
    }),
  );
  const deciding =
    found.find(({verdict}) => verdict === 'deny') ?? found[0] ?? deniedBelow(command.words, uses, {court, bases: court.folders.bases});
  return deciding === undefined ? undefined : {...deciding, text: command.text};
}

/** Of a glob that aims at no secret an ask rule speaks only where a file is read: its files are known, or only their names are looked at. */
function isSpared(words: readonly ShellWord[], use: PathUse, {path}: ShellPath): boolean {
  if (use.glob !== 'shell' || secretGlob(path) !== undefined) return false;
  return use.expanded !== undefined || looksAtNames(words);
}

/** An ask rule for what lies outside: no allow rule is stronger. */
const NO_RULE = {allow: undefined};

function judgePlain(command: LineCommand, uses: readonly PathUse[], court: LineCourt): Judged {
  const risks = commandRisks(command, uses, court);
  const onMachine = {risky: risks.length > 0, root: court.folders.workspace, machine: court.policy.machine};
  const guarded = uses.map((use) => protectedUse(command.words, use, onMachine)).find((reason) => reason !== undefined);
  if (guarded !== undefined) {
    const place = {allow: isReadFromWorkspace(court) ? exactAllow(command, risks, court) : undefined};
    return spelledOut(command, risks, court) ?? {...byCaution(command.text, court, guarded), place};
  }
  const looks = (): boolean => onlyLooks({words: command.words, uses, risks});
  if (court.policy.mode === 'plan') return looksOnly(command, {risks, looks}, court) ?? byMode(command.text, court, 'deny');
  spend(court.rulesOfTool.allow.length / RULES_A_STEP);
  const allowed = court.rulesOfTool.allow.find((rule) => (isLookingRule(rule) ? looks() : allowsByWords(rule, command, risks)));
  if (allowed !== undefined) return byRule(command.text, allowed);
  if (court.policy.mode === 'full-auto') return byMode(command.text, court, 'allow');
  const control = staysInLine(command, risks, court);
  if (control !== undefined) return control;
  const [risk] = risks;
  if (risk !== undefined) {
    const place = risks.some(({isPlace}) => isPlace === true) ? {place: {allow: exactAllow(command, risks, court)}} : {};
    return {...byCaution(command.text, court, risk.reason), ...place};
  }
  return {...byDefault(command.text, court, 'no rule allows it'), wouldAllow: suggestRule(command, court.request.toolNames[0] ?? '')};
}

/** What is protected needs a rule that spells out the whole command, where its paths are read from the workspace. */
function spelledOut(command: LineCommand, risks: readonly Risk[], court: LineCourt): Judged | undefined {
  if (court.policy.mode === 'plan' || !isReadFromWorkspace(court)) return undefined;
  const rule = court.rulesOfTool.allow.find(
    ({pattern, ...rest}) => !pattern.includes('*') && allowsCommand({pattern, ...rest}, command, risks),
  );
  return rule === undefined ? undefined : byRule(command.text, rule);
}

function isReadFromWorkspace({folders: {workspace, bases}}: LineCourt): boolean {
  return bases.length === 1 && bases[0] === workspace;
}

function exactAllow({words}: LineCommand, risks: readonly Risk[], {request}: LineCourt): string | undefined {
  return risks.some(({index}) => index === Infinity) ? undefined : exactRule(words, request.toolNames[0] ?? '');
}

function allowsByWords(rule: ParsedRule, command: LineCommand, risks: readonly Risk[]): boolean {
  return (
    allowsCommand(rule, command, risks) || (command.wrapped !== undefined && allowsWrapped(rule, command.wrapped.words, {command, risks}))
  );
}

interface Looks {
  readonly risks: readonly Risk[];
  readonly looks: () => boolean;
}

function looksOnly(command: LineCommand, {risks, looks}: Looks, court: LineCourt): Judged | undefined {
  const lookers = toolRules({...court, rules: ruleBook(lookingRules())}).allow;
  if (looks() || lookers.some((rule) => allowsCommand(rule, command, risks))) return harmless(command.text, 'it only looks');
  return staysInLine(command, risks, court);
}

function staysInLine(command: LineCommand, risks: readonly Risk[], court: LineCourt): Judged | undefined {
  const stays = risks.length === 0 && (isControlWord(command.words) || isCdInside(command, court));
  return stays ? harmless(command.text, 'it changes nothing outside the line') : undefined;
}

function commandRisks(command: LineCommand, uses: readonly PathUse[], court: LineCourt): readonly Risk[] {
  const risks = [...programRisks(withPlainNames(command.words, uses))];
  const risky = risks.length > 0;
  for (const use of uses) {
    const reason = pathConcern(command.words, use, risky);
    if (reason !== undefined) risks.push({index: use.index, reason, ...(isSource(use) ? {} : {isPlace: true})});
    else if (use.paths === undefined && programName(command.words) !== '')
      risks.push({index: use.index, reason: `the folder in which ${use.text} lies is not known`});
  }
  risks.push(...operandRisks(command.words, {folders: court.folders, denied: court.rulesOfTool.deny}));
  const last = command.words.length - 1;
  if (last >= MAX_WORDS) risks.push({index: Infinity, reason: `has more than ${MAX_WORDS} words`});
  if (court.folders.bases.length !== 1 && programName(command.words) === 'git')
    risks.push({index: Infinity, reason: 'git in another folder obeys the configuration there'});
  if (/^(?:cd|pushd)$/.test(programName(command.words)) && !movesInside(command, court))
    risks.push({index: last, reason: 'leaves the workspace', isPlace: true});
  return risks;
}

/** Devices that only give bytes are no place. */
function isSource({paths = []}: PathUse): boolean {
  return paths.length > 0 && paths.every(({path}) => /^\/dev\/(?:zero|u?random|full)$/.test(path));
}

/** A glob whose files are known to begin with no dash becomes no option. */
function withPlainNames(words: readonly ShellWord[], uses: readonly PathUse[]): readonly ShellWord[] {
  const plain = new Set(uses.filter(({expanded}) => expanded === 'names').map(({index}) => index));
  return plain.size === 0 ? words : words.map((word, index) => (plain.has(index) ? {...word, value: `./${word.value ?? ''}`} : word));
}

/** `cd src; ls; cd ..` comes back: where nothing follows, it is enough that it may. */
function isCdInside(command: LineCommand, court: LineCourt): boolean {
  return command.words[0]?.value === 'cd' && movesInside(command, court);
}

function movesInside(command: LineCommand, {folders, isLast}: LineCourt): boolean {
  const target = cdTarget(command.words);
  const paths = target === undefined ? undefined : pathsOf(target, folders);
  const isInside = ({inside}: ShellPath): boolean => inside;
  return paths !== undefined && (isLast ? paths.some(isInside) : paths.every(isInside));
}

function judgeRedirect(redirect: FileRedirect, court: LineCourt): Judged[] {
  const {text, target, write} = redirect;
  if (target.value !== undefined && /^\/dev\/(?:null|stdin|stdout|stderr|fd\/\d+)$/.test(target.value)) return [];
  const paths = target.value === undefined || target.glob ? undefined : pathsOf(target.value, court.folders);
  if (paths === undefined || target.value?.startsWith('/dev/') === true) return [byCaution(text, court, 'the file behind it is not known')];
  return paths.map((path) => {
    const files = {...court, request: {...court.request, toolNames: [write ? 'write' : 'read']}};
    const judged =
      restrictedPath({...path, write}, files) ??
      (write ? judgeRedirectedWrite(path, files, court) : judgeRedirectedRead(path, files, court));
    return {...judged, text, ...(judged.rule?.effect === 'ask' && !path.inside ? {place: NO_RULE} : {})};
  });
}

/** `bash:*` and a rule for the write tool both say yes to a write. */
function judgeRedirectedWrite(
  path: Parameters<typeof judgeWrite>[0] | Omit<Parameters<typeof judgeWrite>[0], 'write'>,
  files: Court,
  court: LineCourt,
): Judged {
  const judged = judgeWrite({...path, write: true}, files);
  const everything = court.rulesOfTool.allow.find((rule) => rule.pattern === '*');
  return judged.verdict !== 'allow' &&
    judged.decidedBy === 'default' &&
    judged.wouldAllow !== undefined &&
    path.inside &&
    everything !== undefined
    ? byRule(path.relative, everything)
    : judged;
}

function judgeRedirectedRead(path: Parameters<typeof judgeRead>[0], files: Court, court: LineCourt): Judged {
  const isFree = court.policy.mode !== 'full-auto' && secretRead(path.path) === undefined && isPublicFolder(path.path);
  return isFree ? harmless(path.path, 'a read in the workspace') : judgeRead(path, files);
}

/**
 * What is not understood is never allowed by a rule. In full-auto, which allows everything that is not denied, it counts where it may hide
 * a denied command.
 */
function judgeUnclear({text, reason, hides}: Unclear, court: LineCourt): Judged[] {
  const denies = court.rulesOfTool.deny.length > 0;
  if (court.policy.mode === 'full-auto' && (hides === 'value' || !denies)) return [];
  return [byCaution(text, court, reason)];
}
