import {getUser} from './users.mjs';

export const greet = (id) => `Hello, ${getUser(id).name}!`;
