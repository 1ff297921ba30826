import {audit} from './src/audit.mjs';
import * as users from './src/users.mjs';
import {greet} from './src/greet.mjs';

console.log(users.getUser(2).name);
console.log(greet(1));
console.log(audit([1, 3]).join('\n'));
