// `node --import` of this keeps what is compiled for the next start: servers get no variables of the tests, such as NODE_COMPILE_CACHE.
import {enableCompileCache} from 'node:module';
import {join} from 'node:path';

enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/compile'));
