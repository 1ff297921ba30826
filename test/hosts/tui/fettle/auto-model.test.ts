import {describe, expect, it} from 'vitest';
import type {SessionSettings} from '../../../../src/sdk/settings/session-settings.ts';
import {fakeScreen, never, opened, place} from './session-support.ts';

/** The same settings, with `model = "auto"` and the models that it may choose. */
function withAuto(session: SessionSettings, models: readonly string[]): SessionSettings {
  const {settings} = session;
  const {optimization} = settings;
  const bandit = {...optimization.bandit, exploration_epsilon: 0};
  return {...session, settings: {...settings, model: 'auto', optimization: {...optimization, enabled: true, models, bandit}}};
}

describe('model = "auto" on the screen', () => {
  it('shows the chosen model and why, until a person switches to another', async () => {
    const at = await place([]);
    const session = await opened({settings: withAuto(await at.settings(), ['ollama/m', 'ollama/n']), port: fakeScreen()});
    expect([session.info.model, session.info.modelReason]).toEqual(['ollama/m', 'tries it: no outcome yet']);
    expect(session.notes).toContain('Model ollama/m: tries it: no outcome yet.');
    const listed = await session.command('model', '', never);
    expect(listed).toMatchObject({type: 'pick', title: 'Model (now ollama/m)', current: 'ollama/m'});
    await session.command('model', 'ollama/n', never);
    expect([session.info.model, session.info.modelReason]).toEqual(['ollama/n', undefined]);
    await session.command('model', 'auto', never);
    expect([session.info.model, session.info.modelReason]).toEqual(['ollama/m', 'tries it: no outcome yet']);
  });

  it('says what to set where learning is off, and stays as it is', async () => {
    const at = await place([]);
    const session = await opened({settings: await at.settings(), port: fakeScreen()});
    expect(await session.command('model', 'auto', never)).toMatchObject({
      type: 'text',
      text: expect.stringContaining('model = "auto" needs learning, and that is off.'),
    });
    expect(session.info.model).toBe('ollama/m');
  });
});
