import type {ElicitRequest, ElicitResult} from '@modelcontextprotocol/client';
import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import type {Answer, AskUser, Question} from '../../tools/ports/user-questions.ts';
import {cleanLine, cleanServerText} from '../clean-text.ts';
import {isLoopback} from '../oauth/is-loopback.ts';

export interface ElicitationOptions {
  readonly server: string;
  /** undefined: nobody is there, and the server gets a refusal. */
  readonly askUser: AskUser | undefined;
  readonly signal: AbortSignal;
}

const MAX_FIELDS = 20;
const MAX_CHOICES = 200;
const DECLINED: ElicitResult = {action: 'decline'};

/** A question of a server → questions to the person, each with the name of the server before it; their answers in the types of the form. */
export async function answerElicitation(
  params: ElicitRequest['params'],
  {server, askUser, signal}: ElicitationOptions,
): Promise<ElicitResult> {
  if (askUser === undefined) return DECLINED;
  if ('url' in params) return await visit(params, {server, askUser, signal});
  if (!('requestedSchema' in params)) return DECLINED;
  const schema = params.requestedSchema as unknown as JsonObject;
  const fields = Object.entries(isJsonObject(schema['properties']) ? schema['properties'] : {});
  if (fields.length > MAX_FIELDS || fields.some(([, field]) => isJsonObject(field) && choicesOf(field).length > MAX_CHOICES))
    return DECLINED;
  const message = `[${server}] ${cleanServerText(params.message, 2000)}`;
  if (fields.length === 0) return await confirm(message, {askUser, signal});
  const forms = fields.map(([name, field]) => formField(name, isJsonObject(field) ? field : {}));
  const {answers, cancelled} = await askUser(
    forms.map(({question}, index) => ({
      ...question,
      question: index === 0 ? `${message}\n${question.question}` : `[${server}] ${question.question}`,
    })),
    signal,
  );
  if (cancelled) return {action: 'cancel'};
  const filled = forms.map((form, index) => [form.name, form.read(answers[index])] as const);
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  if (filled.some(([name, value]) => value === undefined && required.includes(name))) return DECLINED;
  return {action: 'accept', content: Object.fromEntries(filled.filter((pair): pair is [string, FieldValue] => pair[1] !== undefined))};
}

type Person = ElicitationOptions & {readonly askUser: AskUser};

/**
 * A page that the server wants the person to visit: its host is named first, its address shown, and nothing is opened (MCP 2025-11-25 ›
 * elicitation › URL mode › safe URL handling). What is neither https nor on this machine is declined, and so is an address with a user in it.
 */
async function visit(params: {readonly message: string; readonly url: string}, {server, askUser, signal}: Person): Promise<ElicitResult> {
  const address = URL.parse(params.url);
  if (address === null || address.username !== '' || address.password !== '' || address.href.length > MAX_ADDRESS) return DECLINED;
  if (address.protocol !== 'https:' && !(address.protocol === 'http:' && isLoopback(address.hostname))) return DECLINED;
  const reason = `[${server}] The server says: ${cleanServerText(params.message, 600)}`;
  const question = `[${server}] wants you to visit ${address.host}. Nothing is opened for you; the whole address:\n${address.href}\n${reason}`;
  const options = [
    {label: VISITED, description: 'I know this host, and open the address myself.'},
    {label: 'Decline', description: 'Tell the server no.'},
  ];
  const {answers, cancelled} = await askUser([{question, header: 'MCP server', options, multiSelect: false}], signal);
  if (cancelled) return {action: 'cancel'};
  return answers[0]?.answer === VISITED ? {action: 'accept'} : DECLINED;
}

const VISITED = 'I visit it';
const MAX_ADDRESS = 2000;

async function confirm(question: string, {askUser, signal}: {askUser: AskUser; signal: AbortSignal}): Promise<ElicitResult> {
  const options = [
    {label: 'Accept', description: 'Let the server go on.'},
    {label: 'Decline', description: 'Tell the server no.'},
  ];
  const {answers, cancelled} = await askUser([{question, header: 'MCP server', options, multiSelect: false}], signal);
  if (cancelled) return {action: 'cancel'};
  return answers[0]?.answer === 'Accept' ? {action: 'accept', content: {}} : DECLINED;
}

type FieldValue = string | number | boolean | string[];

interface FormField {
  readonly name: string;
  readonly question: Question;
  /** undefined: no answer that fits. */
  read(answer: Answer | undefined): FieldValue | undefined;
}

function formField(name: string, field: JsonObject): FormField {
  const choices = choicesOf(field);
  const label = textOf(field['title']) ?? name;
  const about = textOf(field['description']);
  const options = choices.map(({label: choice}) => ({label: choice, description: ''}));
  return {
    name,
    question: {
      question: cleanServerText(about === undefined || about === label ? label : `${label}: ${about}`, 600),
      header: cleanLine(label, 11),
      options,
      multiSelect: field['type'] === 'array',
    },
    read: (answer) => readAnswer(field, choices, answer?.answer.trim() ?? ''),
  };
}

interface FieldChoice {
  readonly label: string;
  readonly value: string | boolean;
}

function choicesOf(field: JsonObject): FieldChoice[] {
  if (field['type'] === 'boolean') {
    return [
      {label: 'Yes', value: true},
      {label: 'No', value: false},
    ];
  }
  const source = field['type'] === 'array' && isJsonObject(field['items']) ? field['items'] : field;
  const titled = [source['oneOf'], source['anyOf']].find((list) => Array.isArray(list)) as readonly Json[] | undefined;
  if (titled !== undefined) {
    return titled
      .filter(isJsonObject)
      .map((choice) => ({label: labelOf(choice['title'] ?? choice['const']), value: asText(choice['const'])}));
  }
  const values = Array.isArray(source['enum']) ? (source['enum'] as readonly Json[]) : [];
  const names = Array.isArray(source['enumNames']) ? (source['enumNames'] as readonly Json[]) : [];
  return values.map((value, index) => ({label: labelOf(names[index] ?? value), value: asText(value)}));
}

function readAnswer(field: JsonObject, choices: readonly FieldChoice[], answer: string): FieldValue | undefined {
  if (answer === '') return defaultOf(field);
  const valueOf = (label: string): string | boolean | undefined => choices.find((choice) => choice.label === label)?.value;
  switch (field['type']) {
    case 'number':
    case 'integer': {
      const number = Number(answer);
      return Number.isFinite(number) && (field['type'] === 'number' || Number.isInteger(number)) ? number : undefined;
    }
    case 'boolean':
      return valueOf(answer) === undefined ? undefined : valueOf(answer) === true;
    case 'array': {
      const values = answer.split(', ').map((label) => valueOf(label));
      return values.every((value) => typeof value === 'string') ? values : undefined;
    }
    default:
      return choices.length > 0 ? valueOf(answer) : answer;
  }
}

/** Returns the meaning of an empty answer (SEP-1034). */
function defaultOf({default: value}: JsonObject): FieldValue | undefined {
  if (Array.isArray(value)) return value.filter((item: Json): item is string => typeof item === 'string');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function labelOf(value: Json | undefined): string {
  return cleanLine(asText(value), 80);
}

function asText(value: Json | undefined): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
