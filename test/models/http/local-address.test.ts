import {expect, it} from 'vitest';
import {isLocalAddress} from '../../../src/models/http/local-address.ts';

it.each([
  'http://localhost:8080/v1',
  'http://127.0.0.1:1234',
  'http://[::1]:8080',
  'http://10.1.2.3',
  'http://192.168.1.4:11434',
  'http://172.31.0.2',
  'http://100.64.0.9',
  'http://[fd00::1]',
  'http://ollama:11434/v1',
  'http://box.local',
])('%s is local', (url) => expect(isLocalAddress(url)).toBe(true));

it.each([
  'https://api.example.com/v1',
  'http://172.32.0.1',
  'http://100.128.0.1',
  'http://8.8.8.8',
  'http://localhost.example.com',
  'nonsense',
])('%s is not local', (url) => expect(isLocalAddress(url)).toBe(false));
