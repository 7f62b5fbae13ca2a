import type { TreeNode } from '@slipway/insight';
import { describe, expect, it } from 'vitest';
import { colourStyle } from '../output/index.js';
import { sampleTree } from '../output/tree/testdata/sample-tree.js';
import { treeText } from '../output/tree/tree-text.js';
import { LiveScreen } from './live-screen.js';
import { TerminalEmulator } from './testdata/terminal-emulator.js';

const longWord = 'https://quick-start.example.com/'.padEnd(180, 'x');
const longTree: TreeNode = {
  ...sampleTree,
  condition: {
    type: 'Available',
    status: 'False',
    reason: 'NotAvailable',
    message: `* ${longWord}\n* Control plane is waiting for ${longWord} and something else`,
    lastTransitionTime: '',
  },
};

describe('LiveScreen', () => {
  it('redraws the output in place', () => {
    const terminal = new TerminalEmulator(80, 6);
    terminal.write('$ slipway\n');
    const screen = new LiveScreen(terminal);
    screen.draw('one\ntwo\nthree\n');
    screen.draw('eins\nzwei\n');
    expect(terminal.lines).toEqual(['$ slipway', 'eins', 'zwei']);
  });

  it('draws no more lines than fit on the screen, and all lines at the end', () => {
    const terminal = new TerminalEmulator(80, 6);
    const screen = new LiveScreen(terminal);
    const text = Array.from({ length: 10 }, (_, index) => `line ${index}`).join('\n');
    screen.draw(text);
    expect(terminal.lines).toEqual(['line 0', 'line 1', 'line 2', 'line 3', '… and 6 more lines']);
    screen.end(text);
    expect(terminal.lines).toEqual(text.split('\n'));
  });

  it('cuts a line that is wider than the terminal, and keeps its colors', () => {
    const terminal = new TerminalEmulator(10, 6);
    new LiveScreen(terminal).draw(`${colourStyle.good('0123456789abc')}\nnext`);
    expect(terminal.lines).toEqual(['012345678…', 'next']);
  });

  it.each([60, 80, 100, 120, 150, 155, 160, 200, 250])('shows the header exactly once at %i columns', (columns) => {
    for (const rows of [24, 50]) {
      const terminal = new TerminalEmulator(columns, rows);
      const screen = new LiveScreen(terminal);
      terminal.write('$ slipway up --quick-start\n');
      const text = (nowMs: number, tree = longTree): string =>
        treeText(tree, { nowMs, width: screen.width, style: colourStyle });
      for (let nowMs = 0; nowMs < 20_000; nowMs += 1_000)
        screen.draw(text(nowMs, nowMs % 2_000 === 0 ? longTree : sampleTree));
      expect(headers(terminal)).toBe(1);
      screen.end(text(20_000));
      expect(headers(terminal)).toBe(1);
      expect(terminal.lines[0]).toBe('$ slipway up --quick-start');
    }
  });

  it('leaves no part of the previous output behind when the terminal becomes narrower', () => {
    const terminal = new TerminalEmulator(160, 50);
    const screen = new LiveScreen(terminal);
    for (const columns of [160, 100, 60]) {
      terminal.resize(columns);
      screen.draw(treeText(sampleTree, { nowMs: 0, width: screen.width, style: colourStyle }));
      expect(headers(terminal)).toBe(1);
    }
  });
});

function headers(terminal: TerminalEmulator): number {
  return terminal.lines.filter((line) => /^NAME\s/.test(line)).length;
}
