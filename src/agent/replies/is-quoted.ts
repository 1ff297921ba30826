import type {Message} from '../../protocol/messages.ts';

/** Returns true if a text occurs in the text of a tool or a person: word for word, whatever its line numbers, line breaks and escapes. */
export function isQuoted(text: string, messages: readonly Message[]): boolean {
  const wanted = plainText(text);
  return wanted.length >= MIN_CHARS && messages.some((message) => textsOf(message).some((said) => plainText(said).includes(wanted)));
}

/** A shorter text says too little to be recognised again. */
const MIN_CHARS = 16;

function textsOf(message: Message): readonly string[] {
  if (message.role === 'user') return [message.text];
  return message.role === 'tool' ? message.results.map(({text}) => text) : [];
}

function plainText(text: string): string {
  return text
    .replaceAll(/^\s*(?:[\w./-]{1,200}[:-])?\d+\s*[\t|→:-]/gm, '')
    .replaceAll(/\\u003c|&lt;/gi, '<')
    .replaceAll(/\\u003e|&gt;/gi, '>')
    .replaceAll(/&quot;|&#34;/gi, '"')
    .replaceAll(/\\[nrt]/g, '')
    .replaceAll(/[\s\\]/g, '');
}

/** Returns true if words describe such a text: its kind, its form, or its author. */
export function explainsCall(words: string): boolean {
  return ABOUT_FORM.test(words);
}

/** The same for words that announce nothing: a mention of the origin of such a text is enough. */
export function mentionsCall(words: string): boolean {
  return ABOUT_FORM.test(words) || ABOUT_PLACE.test(words);
}

const ABOUT_FORM = wordsOf([
  'formats|format of|formatted|syntax|templates?|examples?|e\\.g\\.|for instance|looks? like|looked like|such as|snippets?|literal(?:ly)?',
  'the models?|a model|models|llms?|parsers?|parsed|emits?|emitted|tokens?|mark-?up|tags?|quot(?:e|es|ed|ing)',
  'means|would|should (?:be|look|write|contain)|is (?:how|what)|transcripts?|injection|injected|malicious|attack(?:er)?',
  "wrote|written|hermes|qwen|llama|mistral|deepseek|not (?:run|follow|carried)|did not|didn[’']t|was not",
  'beispiel|vorlage|schreibt|sieht .{0,40} aus|exemple|ressemble|ejemplo|parece',
]);

const ABOUT_PLACE = wordsOf([
  'format|sample|servers?|strings?|meaning|instead of|documentation|docs|docstring|readme|says|said|contain(?:s|ed|ing)?|logs?|logged',
  'hidden|instruct(?:s|ed|ion|ions)|printed|shows?|shown|output|replied|responds?|responded|returns?|returned|fails?|failed|error|bug',
  "do not|don[’']t|never|lines?|file|page|document|site|prompt",
]);

function wordsOf(lists: readonly string[]): RegExp {
  return new RegExp(`\\b(?:${lists.join('|')})\\b`, 'i');
}

/** Returns true if words announce that the speaker is about to do something. */
export function announcesCall(words: string): boolean {
  return ANNOUNCES.test(lastWords(words));
}

/** Lines of an announcement that are checked: text further up may be about anything. */
export function lastWords(words: string): string {
  return (
    words
      .trimEnd()
      .split(/\n\s*\n/)
      .at(-1)
      ?.slice(-LAST_CHARS) ?? ''
  );
}

const LAST_CHARS = 300;

const ANNOUNCES =
  /\b(?:i'll|i’ll|i will|i'm going to|i’m going to|i am going to|let me|let's|let’s|let us|i need to|i must|i should|i want to|i can|now i|first,? i|next,? i|i'd|here(?:'s| is) (?:the|my) (?:\w+ )?call|calling|reading|running|checking|searching|looking|ich (?:werde|lese|pr[üu]fe|f[üu]hre|schaue|rufe|suche|muss)|je (?:vais|lis|dois)|voy a|déjame|vamos a)\b|我(?:来|将|先|需要|会)|让我/i;

/** Returns true if a text after a call is a result that the model made up. */
export function looksLikeResult(text: string): boolean {
  return /^(?:<\/?(?:tool_response|tool_result|function_results?|observation|tool_output|result)\b|<\|(?:tool|start_header_id|ipython|im_start|start|observation)|Observation:|\[TOOL_RESULTS\]|Tool (?:result|output|response):)/i.test(
    text,
  );
}
