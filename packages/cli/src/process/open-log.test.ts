import { expect, it } from 'vitest';
import { logStyle } from './open-log.js';

it.each([
  { name: 'a terminal', format: undefined, isTTY: true, environment: {}, then: { pretty: true, colour: true } },
  { name: 'a pipe', format: undefined, isTTY: false, environment: {}, then: { pretty: false, colour: false } },
  {
    name: 'NO_COLOR',
    format: undefined,
    isTTY: true,
    environment: { NO_COLOR: '1' },
    then: { pretty: true, colour: false },
  },
  {
    name: 'an empty NO_COLOR',
    format: undefined,
    isTTY: true,
    environment: { NO_COLOR: '' },
    then: { pretty: true, colour: true },
  },
  {
    name: 'a dumb terminal',
    format: undefined,
    isTTY: true,
    environment: { TERM: 'dumb' },
    then: { pretty: true, colour: false },
  },
  { name: 'text into a pipe', format: 'text', isTTY: false, environment: {}, then: { pretty: true, colour: false } },
  { name: 'JSON on a terminal', format: 'json', isTTY: true, environment: {}, then: { pretty: false, colour: false } },
] as const)('selects the log format for $name', ({ format, isTTY, environment, then }) => {
  expect(logStyle({ format, verbose: false }, { isTTY }, environment)).toEqual(then);
});
