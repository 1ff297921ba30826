#!/usr/bin/env node
/* oxlint-disable */
// Validates ATIF trajectories (RFC 0001, v1.0 - v1.8). Usage: node atif-check.mjs FILE...   exit 0 = all valid.
// Own writing; rules taken from the RFC text and the field lists of two published model sets.
import fs from 'node:fs';
import {pathToFileURL} from 'node:url';
const MINOR = (v) => {
  const m = /^ATIF-v1\.([0-8])$/.exec(v);
  return m ? +m[1] : -1;
};
const IMG = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
const AUD = [
  'audio/wav',
  'audio/mpeg',
  'audio/mp4',
  'audio/aac',
  'audio/ogg',
  'audio/flac',
  'audio/webm',
  'audio/aiff',
  'audio/x-wav',
  'audio/wave',
  'audio/vnd.wave',
  'audio/mp3',
  'audio/x-mp3',
  'audio/m4a',
  'audio/x-m4a',
  'audio/opus',
  'audio/x-flac',
  'audio/x-aiff',
  'audio/x-aac',
];
const isObj = (v) => typeof v === 'object' && v !== null && !Array.isArray(v);
const T = {
  str: (v) => typeof v === 'string',
  int: (v) => Number.isInteger(v),
  num: (v) => typeof v === 'number' && Number.isFinite(v),
  bool: (v) => typeof v === 'boolean',
  obj: isObj,
  arr: Array.isArray,
};
const ISO = /^\d{4}-?\d\d-?\d\d(?:[T ]\d\d(?::?\d\d(?::?\d\d(?:[.,]\d+)?)?)?(?:Z|[+-]\d\d(?::?\d\d(?::?\d\d)?)?)?)?$/;
export function check(t) {
  const errs = [],
    E = (p, m) => {
      errs.push(`${p || '$'}: ${m}`);
    };
  const shape = (v, p, spec, req) => {
    if (!isObj(v)) {
      E(p, 'object expected');
      return false;
    }
    for (const k of Object.keys(v)) if (!(k in spec)) E(`${p}.${k}`, 'unknown field (put custom data in `extra`)');
    for (const k of req) if (v[k] === undefined || v[k] === null) E(`${p}.${k}`, 'required');
    for (const k in spec)
      if (v[k] !== undefined && v[k] !== null && !spec[k].split('|').some((x) => T[x](v[k]))) E(`${p}.${k}`, `type ${spec[k]} expected`);
    return true;
  };
  const list = (v, p, type) => {
    if (Array.isArray(v))
      v.forEach((x, i) => {
        if (!T[type](x)) E(`${p}[${i}]`, `${type} expected`);
      });
  };
  const content = (c, p, minor) => {
    if (!Array.isArray(c)) return;
    if (minor < 6) E(p, 'content parts need v1.6 or later');
    c.forEach((x, i) => {
      const q = `${p}[${i}]`;
      if (!shape(x, q, {type: 'str', text: 'str', source: 'obj'}, ['type'])) return;
      if (x.type === 'text') {
        if (x.text == null) E(q, 'text required');
        if (x.source != null) E(q, 'source not allowed on text');
      } else if (x.type === 'image' || x.type === 'audio') {
        if (x.type === 'audio' && minor < 8) E(q, 'audio needs v1.8');
        if (x.text != null) E(q, 'text not allowed on media');
        if (x.source == null) E(q, 'source required');
        else if (
          shape(
            x.source,
            q + '.source',
            x.type === 'image' ? {media_type: 'str', path: 'str'} : {media_type: 'str', path: 'str', duration_sec: 'num'},
            ['media_type', 'path'],
          )
        ) {
          if (!(x.type === 'image' ? IMG : AUD).includes(x.source.media_type)) E(q + '.source.media_type', 'not an allowed type');
          if (x.source.duration_sec < 0) E(q + '.source.duration_sec', '>= 0');
        }
      } else E(q + '.type', 'text, image or audio');
    });
  };
  const traj = (t, p, embedded) => {
    const minor = MINOR(t?.schema_version);
    const sp = {
      schema_version: 'str',
      session_id: 'str',
      agent: 'obj',
      steps: 'arr',
      notes: 'str',
      final_metrics: 'obj',
      continued_trajectory_ref: 'str',
      extra: 'obj',
    };
    if (minor >= 7) Object.assign(sp, {trajectory_id: 'str', subagent_trajectories: 'arr'});
    if (
      !shape(t, p, sp, ['schema_version', 'agent', 'steps', ...(minor < 7 ? ['session_id'] : []), ...(embedded ? ['trajectory_id'] : [])])
    )
      return;
    if (minor < 0) E(p + '.schema_version', 'ATIF-v1.0 ... ATIF-v1.8');
    if (
      t.agent &&
      shape(t.agent, p + '.agent', {name: 'str', version: 'str', model_name: 'str', tool_definitions: 'arr', extra: 'obj'}, [
        'name',
        'version',
      ])
    )
      list(t.agent.tool_definitions, p + '.agent.tool_definitions', 'obj');
    if (isObj(t.final_metrics)) {
      shape(
        t.final_metrics,
        p + '.final_metrics',
        {
          total_prompt_tokens: 'int',
          total_completion_tokens: 'int',
          total_cached_tokens: 'int',
          total_cost_usd: 'num',
          total_steps: 'int',
          extra: 'obj',
        },
        [],
      );
      if (t.final_metrics.total_steps < 0) E(p + '.final_metrics.total_steps', '>= 0');
    }
    const ids = new Set();
    if (Array.isArray(t.subagent_trajectories))
      t.subagent_trajectories.forEach((s, i) => {
        traj(s, `${p}.subagent_trajectories[${i}]`, true);
        if (s?.trajectory_id != null && ids.has(s.trajectory_id)) E(`${p}.subagent_trajectories[${i}].trajectory_id`, 'duplicate');
        ids.add(s?.trajectory_id);
      });
    if (!Array.isArray(t.steps)) return;
    if (t.steps.length === 0) E(p + '.steps', 'at least one step');
    t.steps.forEach((s, i) => {
      const q = `${p}.steps[${i}]`;
      if (
        !shape(
          s,
          q,
          {
            step_id: 'int',
            timestamp: 'str',
            source: 'str',
            model_name: 'str',
            reasoning_effort: 'str|num',
            message: 'str|arr',
            reasoning_content: 'str',
            tool_calls: 'arr',
            observation: 'obj',
            metrics: 'obj',
            is_copied_context: 'bool',
            extra: 'obj',
            ...(minor >= 7 ? {llm_call_count: 'int'} : {}),
          },
          ['step_id', 'source', 'message'],
        )
      )
        return;
      if (s.step_id !== i + 1) E(q + '.step_id', `expected ${i + 1}`);
      if (s.timestamp != null && T.str(s.timestamp) && (!ISO.test(s.timestamp) || Number.isNaN(Date.parse(s.timestamp.replace(' ', 'T')))))
        E(q + '.timestamp', 'ISO 8601');
      if (!['system', 'user', 'agent'].includes(s.source)) E(q + '.source', 'system, user or agent');
      if (s.source !== 'agent')
        for (const k of ['model_name', 'reasoning_effort', 'reasoning_content', 'tool_calls', 'metrics'])
          if (s[k] != null) E(`${q}.${k}`, 'only on agent steps');
      if (s.llm_call_count < 0) E(q + '.llm_call_count', '>= 0');
      if (s.llm_call_count === 0 && s.source === 'agent')
        for (const k of ['metrics', 'reasoning_content']) if (s[k] != null) E(`${q}.${k}`, 'absent when llm_call_count is 0');
      content(s.message, q + '.message', minor);
      const calls = new Set();
      if (Array.isArray(s.tool_calls))
        s.tool_calls.forEach((c, j) => {
          const r = `${q}.tool_calls[${j}]`;
          if (
            !shape(c, r, {tool_call_id: 'str', function_name: 'str', arguments: 'obj', ...(minor >= 7 ? {extra: 'obj'} : {})}, [
              'tool_call_id',
              'function_name',
              'arguments',
            ])
          )
            return;
          if (calls.has(c.tool_call_id)) E(r + '.tool_call_id', 'duplicate in this step');
          calls.add(c.tool_call_id);
        });
      if (isObj(s.observation) && shape(s.observation, q + '.observation', {results: 'arr'}, ['results']))
        (Array.isArray(s.observation.results) ? s.observation.results : []).forEach((o, j) => {
          const r = `${q}.observation.results[${j}]`;
          if (
            !shape(
              o,
              r,
              {source_call_id: 'str', content: 'str|arr', subagent_trajectory_ref: 'arr', ...(minor >= 7 ? {extra: 'obj'} : {})},
              [],
            )
          )
            return;
          if (o.source_call_id != null && !calls.has(o.source_call_id)) E(r + '.source_call_id', 'no such tool call in this step');
          content(o.content, r + '.content', minor);
          if (Array.isArray(o.subagent_trajectory_ref))
            o.subagent_trajectory_ref.forEach((x, k) => {
              const u = `${r}.subagent_trajectory_ref[${k}]`;
              if (
                !shape(
                  x,
                  u,
                  {session_id: 'str', trajectory_path: 'str', extra: 'obj', ...(minor >= 7 ? {trajectory_id: 'str'} : {})},
                  minor < 7 ? ['session_id'] : [],
                )
              )
                return;
              if (minor >= 7 && x.trajectory_id == null && x.trajectory_path == null) E(u, 'trajectory_id or trajectory_path required');
              if (x.trajectory_id != null && x.trajectory_path == null && !ids.has(x.trajectory_id))
                E(u + '.trajectory_id', 'not among subagent_trajectories');
            });
        });
      if (
        isObj(s.metrics) &&
        shape(
          s.metrics,
          q + '.metrics',
          {
            prompt_tokens: 'int',
            completion_tokens: 'int',
            cached_tokens: 'int',
            cost_usd: 'num',
            prompt_token_ids: 'arr',
            completion_token_ids: 'arr',
            logprobs: 'arr',
            extra: 'obj',
          },
          [],
        )
      ) {
        list(s.metrics.prompt_token_ids, q + '.metrics.prompt_token_ids', 'int');
        list(s.metrics.completion_token_ids, q + '.metrics.completion_token_ids', 'int');
        list(s.metrics.logprobs, q + '.metrics.logprobs', 'num');
        if (T.int(s.metrics.cached_tokens) && T.int(s.metrics.prompt_tokens) && s.metrics.cached_tokens > s.metrics.prompt_tokens)
          E(q + '.metrics.cached_tokens', 'cached tokens are part of prompt_tokens');
      }
    });
  };
  traj(t, '$', false);
  return errs;
}
if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  let bad = 0;
  for (const f of process.argv.slice(2)) {
    let e;
    try {
      e = check(JSON.parse(fs.readFileSync(f, 'utf8')));
    } catch (x) {
      e = [String(x)];
    }
    if (e.length) {
      bad++;
      console.log(`INVALID ${f}`);
      e.forEach((x) => console.log('  ' + x));
    } else console.log(`ok ${f}`);
  }
  process.exit(bad ? 1 : 0);
}
