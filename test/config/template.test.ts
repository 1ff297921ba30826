import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {parse} from 'smol-toml';
import {describe, expect, it} from 'vitest';
import {isJsonObject, type Json} from '../../src/base/json.ts';
import {DEFAULTS} from '../../src/config/defaults.ts';
import {configJsonSchema} from '../../src/config/json-schema.ts';
import {loadConfig} from '../../src/config/load.ts';
import {configTemplate} from '../../src/config/template.ts';
import {scratch} from '../support/scratch.ts';

/** The template with its settings switched on, as its first line says. */
const switchedOn = configTemplate().replaceAll(/^# (?=\[|[a-z_]+ = )/gm, '');

async function load(text: string) {
  const root = await scratch({'config.toml': text});
  return loadConfig({env: {FETTLE_HOME: root}, home: root, cwd: root});
}

describe('configTemplate', () => {
  it('changes nothing as it is written', async () => {
    const {settings, rules, origins, notices} = await load(configTemplate());
    expect({settings, rules, origins, notices}).toEqual({settings: DEFAULTS, rules: [], origins: {}, notices: []});
  });

  it('is valid with every setting switched on, and shows the true defaults', async () => {
    const {settings, rules, notices} = await load(switchedOn);
    expect(notices).toEqual([]);
    expect(rules).toHaveLength(4);
    const {toolset, mode, limits, provider_limits: providerLimits} = settings;
    expect({toolset, mode, limits, providerLimits}).toEqual({
      toolset: DEFAULTS.toolset,
      mode: DEFAULTS.mode,
      limits: {...DEFAULTS.limits, command_memory_mb: 8000, command_disk_mb: 50_000},
      providerLimits: DEFAULTS.provider_limits,
    });
  });

  it('names every key that the schema knows', () => {
    expect(schemaKeys(configJsonSchema(), '').filter((key) => !valueKeys(parse(switchedOn) as Json, '').includes(key))).toEqual([]);
  });
});

describe('docs/guide.md › Configuration', () => {
  it('has every key, with its true default, its variable and its flag', async () => {
    const guide = await readFile(join(import.meta.dirname, '../../docs/guide.md'), 'utf8');
    const rows = guide.split('\n').filter((line) => /^\| `[a-z_]+(?:\.|`)/.test(line) && line.split('|').length === 7);
    const {limits, provider_limits: patience} = DEFAULTS;
    expect(
      rows
        .map((row) => row.split('|').map((cell) => cell.trim().replaceAll('`', '')))
        .map(([, key, , ...rest]) => [key, ...rest.slice(0, 3)]),
    ).toEqual([
      ['model', 'none', 'FETTLE_MODEL', '--model'],
      ['logprobs', String(DEFAULTS.logprobs), '', ''],
      ['temperature', 'none is sent', '', ''],
      ['toolset', DEFAULTS.toolset, 'FETTLE_TOOLSET', '--toolset'],
      ['edit_dialect', DEFAULTS.edit_dialect, '', ''],
      ['mode', DEFAULTS.mode, 'FETTLE_MODE', '--mode'],
      ['limits.max_turns', String(limits.max_turns), 'FETTLE_MAX_TURNS', '--max-turns'],
      ['limits.max_tokens', String(limits.max_tokens), 'FETTLE_MAX_TOKENS', '--max-tokens'],
      ['limits.max_cost_usd', String(limits.max_cost_usd), 'FETTLE_MAX_COST_USD', '--max-cost'],
      ['limits.max_time_s', String(limits.max_time_s), 'FETTLE_MAX_TIME_S', '--max-time'],
      ['limits.command_memory_mb', '80 % of the memory', '', ''],
      ['limits.command_disk_mb', '50000, at most 80 % of what is free', '', ''],
      ['permissions.allow, .ask, .deny', 'empty', '', '--allow, --ask, --deny'],
      ['environment.pass', 'empty', '', ''],
      ['environment.set', 'empty', '', ''],
      ['sandbox.profile', 'the mode decides', 'FETTLE_SANDBOX', '--sandbox'],
      ['sandbox.network', String(DEFAULTS.sandbox.network), '', ''],
      ['sandbox.allowed_domains', 'empty', '', ''],
      ['sandbox.writable', 'empty', '', ''],
      ['checkpoints.keep', DEFAULTS.checkpoints.keep, '', ''],
      ['checkpoints.ignored', String(DEFAULTS.checkpoints.ignored), '', ''],
      ['checkpoints.max_mb', String(DEFAULTS.checkpoints.max_mb), '', ''],
      ['checkpoints.max_file_mb', String(DEFAULTS.checkpoints.max_file_mb), '', ''],
      ['checkpoints.max_days', String(DEFAULTS.checkpoints.max_days), '', ''],
      ['context.instruction_files', DEFAULTS.context.instruction_files.join(', '), '', ''],
      ['context.compact_at', String(DEFAULTS.context.compact_at), '', ''],
      ['context.summary_model', 'the model of the session', '', ''],
      ['context.compaction', DEFAULTS.context.compaction, '', ''],
      ['context.window_tokens', 'as the server or the catalogue says, else 128000', '', ''],
      ['hooks.EVENT', 'empty', '', ''],
      ['harness.continuation', 'exec', '', ''],
      ['harness.verify_timeout_s', '600', '', ''],
      ['harness.orchestration', 'single', '', ''],
      ['harness.max_revision_rounds', '2', '', ''],
      ['harness.models.planner, .evaluator', 'the model', '', ''],
      ['subagents.max_concurrent', String(DEFAULTS.subagents.max_concurrent), '', ''],
      ['optimization.enabled', String(DEFAULTS.optimization.enabled), '', ''],
      ['optimization.models, .toolsets, .edit_dialects', 'none', '', ''],
      ['optimization.explore_share', String(DEFAULTS.optimization.explore_share), '', ''],
      ['optimization.strategy', DEFAULTS.optimization.strategy, '', ''],
      ['optimization.bandit, .actor_critic, .reward_shaping', 'theirs', '', ''],
      ['traces.otlp_endpoint', 'nothing is sent', '', ''],
      ['traces.content', String(DEFAULTS.traces.content), '', ''],
      ['provider_limits.first_byte_s', String(patience.first_byte_s), '', ''],
      ['provider_limits.between_events_s', String(patience.between_events_s), '', ''],
      ['provider_limits.stall_notice_s', String(patience.stall_notice_s), '', ''],
      ['provider_limits.retries', String(patience.retries), '', ''],
      ['providers.NAME.base_url', 'its own', '', ''],
      ['providers.NAME.api_key_env', 'its own', '', ''],
      ['custom_providers', 'empty', '', ''],
      ['tool_paths', 'empty', '', ''],
      ['enabled_tools', 'empty', '', ''],
      ['disabled_tools', 'empty', '', ''],
      ['tools.NAME.permission', 'the mode decides', '', ''],
      ['tools.NAME.allowlist, .denylist', 'empty', '', ''],
      ['web_fetch.private_hosts', 'empty', '', ''],
      ['web_search.provider', 'no search', '', ''],
      ['web_search.base_url', 'its own', '', ''],
      ['web_search.api_key_env', 'its own', '', ''],
      ['mcp_servers', 'empty', '', ''],
      ['composite_tools_enabled', String(DEFAULTS.composite_tools_enabled), '', ''],
      ['schedule.notify', 'a notification of the desktop', '', ''],
      ['terminal.surface', DEFAULTS.terminal.surface, '', ''],
      ['terminal.theme', DEFAULTS.terminal.theme, '', ''],
      ['terminal.vim', String(DEFAULTS.terminal.vim), '', ''],
      ['terminal.bell', String(DEFAULTS.terminal.bell), '', ''],
      ['terminal.keys', 'empty', '', ''],
      ['terminal.status_command', 'nothing runs', '', ''],
    ]);
  });
});

describe('configJsonSchema', () => {
  it('describes every key, and gives the default where there is one', () => {
    const schema = configJsonSchema();
    expect(undescribed(schema, '')).toEqual([]);
    expect(schema['properties']).toMatchObject({
      toolset: {type: 'string', default: 'fettle'},
      mode: {enum: ['plan', 'ask', 'accept-edits', 'full-auto'], default: 'ask'},
      limits: {additionalProperties: false, properties: {max_turns: {type: 'integer', minimum: 1, default: 200}}},
      permissions: {properties: {deny: {type: 'array', items: {type: 'string'}}}},
      custom_providers: {items: {required: ['name', 'format', 'base_url']}},
    });
  });
});

function children(schema: Json | undefined, prefix: string): [string, Json | undefined][] {
  if (!isJsonObject(schema)) return [];
  const named = isJsonObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  const nested = [schema['additionalProperties'], schema['items']].filter(isJsonObject);
  return [
    ...named.map(([key, child]): [string, Json | undefined] => [`${prefix}${key}`, child]),
    ...nested.flatMap((child) => children(child, `${prefix}*.`)),
  ];
}

function schemaKeys(schema: Json | undefined, prefix: string): string[] {
  return children(schema, prefix).flatMap(([key, child]) => [key, ...schemaKeys(child, `${key}.`)]);
}

function undescribed(schema: Json | undefined, prefix: string): string[] {
  return children(schema, prefix).flatMap(([key, child]) => [
    ...(isJsonObject(child) && typeof child['description'] === 'string' ? [] : [key]),
    ...undescribed(child, `${key}.`),
  ]);
}

/** The keys of a value, with the names that people choose as `*`. */
function valueKeys(value: Json | undefined, prefix: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => valueKeys(item, `${prefix}*.`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const name =
      prefix === 'providers.' || prefix === 'hooks.' || prefix === 'tools.' || prefix === 'terminal.keys.'
        ? `${prefix}*`
        : `${prefix}${key}`;
    return [name, ...valueKeys(child, `${name}.`)];
  });
}
