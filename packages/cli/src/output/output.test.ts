import { describe, expect, it } from 'vitest';
import { colourStyle, plainStyle, styleFor } from './style.js';
import { terminalWidth } from './terminal-width.js';
import { columnsText, wrapText } from './text.js';

describe('colour of the output', () => {
  it.each([
    { name: 'is used on a terminal', tty: true, flag: undefined, env: {}, coloured: true },
    { name: 'is not used in a pipe', tty: false, flag: undefined, env: {}, coloured: false },
    { name: 'is used in a pipe with the flag', tty: false, flag: true, env: {}, coloured: true },
    { name: 'is not used if the flag disables it', tty: true, flag: false, env: {}, coloured: false },
    {
      name: 'is not used with NO_COLOR, whatever the flag',
      tty: true,
      flag: true,
      env: { NO_COLOR: '1' },
      coloured: false,
    },
    { name: 'is used when NO_COLOR is empty', tty: true, flag: undefined, env: { NO_COLOR: '' }, coloured: true },
    { name: 'is not used on a dumb terminal', tty: true, flag: undefined, env: { TERM: 'dumb' }, coloured: false },
  ])('$name', ({ tty, flag, env, coloured }) => {
    expect(styleFor({ isTTY: tty }, flag, env)).toBe(coloured ? colourStyle : plainStyle);
  });
});

describe('wrapText', () => {
  it.each([
    { name: 'keeps short lines', text: 'a b', width: 10, lines: ['a b'] },
    { name: 'keeps line breaks', text: 'a\n\nb', width: 10, lines: ['a', '', 'b'] },
    {
      name: 'indents continuation lines of a list item',
      text: '* aaa bbb ccc',
      width: 9,
      lines: ['* aaa bbb', '  ccc'],
    },
    { name: 'keeps the indent', text: '  * aaa bbb', width: 8, lines: ['  * aaa', '    bbb'] },
    {
      name: 'puts a long word on a separate line',
      text: 'a bbbbbbbbbbbb c',
      width: 5,
      lines: ['a', 'bbbbbbbbbbbb', 'c'],
    },
  ])('$name', ({ text, width, lines }) => {
    expect(wrapText(text, width)).toEqual(lines);
  });
});

it('columnsText aligns columns by visible characters, without colour codes', () => {
  const rows = [
    [colourStyle.bad('no'), 'x'],
    ['yes', 'y'],
  ];
  expect(columnsText(['A', 'B'], rows)).toEqual(['A    B', '\u001B[31mno\u001B[0m   x', 'yes  y']);
});

it('terminalWidth ignores a terminal without a size', () => {
  expect(terminalWidth({ columns: 120 }, 80)).toBe(120);
  expect(terminalWidth({ columns: 0 }, 80)).toBe(80);
  expect(terminalWidth({}, undefined)).toBeUndefined();
});
