import {join} from 'node:path';
import {trustItemText} from '../../config/trust/trust-item.ts';
import {discoverSkills, type FoundSkills} from '../../context/skills.ts';
import type {SessionSettings} from './session-settings.ts';

/** Returns the skills of the person and of a trusted project; those of a project with the text that was digested. */
export async function sessionSkills({
  paths,
  home,
  trusted,
  trust,
}: Pick<SessionSettings, 'paths' | 'home' | 'trusted' | 'trust'>): Promise<FoundSkills> {
  const {root, items} = trust;
  const texts = new Map(items.filter(({kind}) => kind === 'skill').map((item) => [join(root, item.path), item]));
  return await discoverSkills({
    userFolders: [join(paths.configDir, 'skills'), join(home, '.agents', 'skills')],
    projectFolders: [join(root, '.fettle', 'skills'), join(root, '.agents', 'skills')],
    trusted,
    trustedText(file) {
      const item = texts.get(file);
      return item === undefined ? undefined : trustItemText(item);
    },
  });
}
