import {FettleError} from '../../../base/errors.ts';
import {visibleText} from '../../../base/visible-text.ts';
import {listProviders, openProvider} from '../../../models/registry.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import {loadSettings, withModel} from '../../../sdk/load-settings.ts';
import {describeError} from '../describe-error.ts';
import {listenForInterrupts} from '../interrupt.ts';
import type {Io} from '../io.ts';
import {flagsOf, type SettingOptions} from '../run-options.ts';

/** `fettle models list`: every provider with its address and whether its key is set. Nothing is sent. */
export async function listModels(io: Io, options: SettingOptions & {readonly json?: true}): Promise<number> {
  const {settings, providerSettings} = await loadSettings({...io, flags: flagsOf(options)});
  const providers = listProviders(providerSettings);
  if (options.json === true) {
    io.data(`${JSON.stringify({model: settings.model ?? null, providers}, null, 2)}\n`);
    return EXIT.done;
  }
  for (const {name, format, baseUrl, keyVariable, hasKey} of providers) {
    const key = keyVariable === undefined ? 'no key needed' : `${keyVariable} ${hasKey ? 'is set' : 'is not set'}`;
    io.data(`${name.padEnd(12)}  ${format.padEnd(16)}  ${baseUrl}  (${key})\n`);
  }
  io.note(settings.model === undefined ? 'No model is configured.' : `The configured model is ${settings.model}.`);
  return EXIT.done;
}

/** `fettle models test [PROVIDER/MODEL]`: one small request; what came back, how long it took, what it cost. */
export async function testModel(io: Io, options: SettingOptions): Promise<number> {
  const {settings, providerSettings} = withModel(await loadSettings({...io, flags: flagsOf(options)}));
  const provider = await openProvider(settings.model ?? '', providerSettings);
  const interrupts = listenForInterrupts(() => io.note('Cancelling.'));
  const began = performance.now();
  try {
    for await (const event of provider.stream(PROBE, interrupts.signal())) {
      if (event.type === 'retry') io.note(event.reason);
      if (event.type === 'stall') io.note(`Nothing for ${Math.round(event.silentMs / 1000)} s.`);
      if (event.type === 'error') {
        io.note(describeError(new FettleError(event.failure), io.paint));
        return event.failure.code === 'CANCELLED' ? EXIT.interrupted : EXIT.provider;
      }
      if (event.type !== 'done') continue;
      const {message, usage, costUsd} = event.reply;
      const answer = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
      const cost = costUsd === null ? 'price unknown' : `$${costUsd.toFixed(6)}`;
      io.data(`${provider.model}: ${JSON.stringify(visibleText(answer.trim()))}\n`);
      io.data(`${Math.round(performance.now() - began)} ms, ${usage.input_tokens} tokens in, ${usage.output_tokens} out, ${cost}\n`);
    }
    return EXIT.done;
  } finally {
    interrupts.dispose();
  }
}

const PROBE = {
  system: 'Answer in one word.',
  messages: [{role: 'user', text: 'Reply with the word: ready'}],
  tools: [],
  maxOutputTokens: 256,
} as const;
