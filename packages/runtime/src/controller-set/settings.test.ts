import { expect, it } from 'vitest';
import { selectControllers } from './select-controllers.js';
import { durationSetting, patternsSetting, type Setting, wordsSetting } from './settings.js';

const described = { flag: 'f', description: '' };
const time = durationSetting({ ...described, default: '5m' }, 120_000);
const patterns = patternsSetting(described);
const words = wordsSetting({ ...described, default: 'All' }, ['All', 'None']);

function read<T>(setting: Setting<T>, text?: string): T {
  const settings = new Map(text === undefined ? [] : [[setting.flag, text]]);
  return selectControllers([{ name: 's', controllers: [], settings: [setting] }], { settings }).settings.get(setting);
}

it.each([
  { name: 'parses a duration', setting: time, text: '2m30s', value: 150_000 },
  { name: 'uses the default duration', setting: time, text: undefined, value: 300_000 },
  { name: 'parses patterns', setting: patterns, text: 'a.*, ^b$', value: [/a.*/, /^b$/] },
  { name: 'uses the default patterns', setting: patterns, text: undefined, value: [] },
  { name: 'parses a word', setting: words, text: 'None', value: ['None'] },
])('$name', ({ setting, text, value }) => {
  expect(read<unknown>(setting, text)).toEqual(value);
});

it.each([
  { setting: time, text: '1m', expected: '--f: invalid duration "1m": use a value such as 90s or 5m, 120s or longer' },
  { setting: time, text: 'soon', expected: '--f: invalid duration "soon"' },
  { setting: patterns, text: '(', expected: '--f: invalid regular expression "("' },
  { setting: words, text: 'Some', expected: '--f: invalid value "Some": must be one of All, None' },
])('rejects $text', ({ setting, text, expected }) => {
  expect(() => read<unknown>(setting, text)).toThrow(expected);
});
