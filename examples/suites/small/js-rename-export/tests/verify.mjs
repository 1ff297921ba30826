import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {deepStrictEqual} from 'node:assert';

const node = (...args) => execFileSync(process.execPath, args, {encoding: 'utf8', timeout: 20_000});
deepStrictEqual(node('main.mjs'), 'Grace\nHello, Ada!\ngetUser Ada read\ngetUser nobody read\n');
const probe = `
  import * as users from './src/users.mjs';
  import {RIGHTS} from './src/rights.mjs';
  import {sessionOf} from './src/session.mjs';
  console.log('\\n' + JSON.stringify([Object.keys(users), users.findAccount(1), RIGHTS, sessionOf('t:1').getUser()]));
`;
deepStrictEqual(JSON.parse(node('--input-type=module', '-e', probe).trimEnd().split('\n').at(-1)), [
  ['findAccount'],
  {name: 'Ada'},
  {getUser: 'read', putUser: 'write'},
  't',
]);
const uses = (file, name) => (readFileSync(file, 'utf8').match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length;
const FILES = ['main.mjs', 'src/users.mjs', 'src/greet.mjs', 'src/audit.mjs', 'src/rights.mjs', 'src/session.mjs'];
deepStrictEqual(FILES.map((file) => [file, uses(file, 'getUser'), uses(file, 'findAccount')]), [
  ['main.mjs', 0, 1],
  ['src/users.mjs', 0, 1],
  ['src/greet.mjs', 0, 2],
  ['src/audit.mjs', 2, 1],
  ['src/rights.mjs', 1, 0],
  ['src/session.mjs', 2, 0],
]);
console.log('ok');
