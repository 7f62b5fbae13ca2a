import { describe, expect, it } from 'vitest';
import { LiveScreen } from './live-screen.js';

const escape = String.fromCodePoint(27);
const codes = new RegExp(`(${escape}\\[[?0-9;]*[A-Za-z]|\\r|\\n)`);
const upwards = new RegExp(`^${escape}\\[(\\d+)A$`);

/** What a terminal would show: the codes that are used here are obeyed. */
class FakeTerminal {
  readonly columns = 80;
  rows = 6;
  #lines: string[] = [''];
  #row = 0;

  write(text: string): void {
    for (const part of text.split(codes)) this.#obey(part);
  }

  get shown(): string[] {
    return this.#lines.filter((line, index) => line !== '' || index < this.#lines.length - 1);
  }

  #obey(part: string): void {
    const [, count] = upwards.exec(part) ?? [];
    if (count !== undefined) this.#row -= Number(count);
    else if (part === '\u001B[2K') this.#lines[this.#row] = '';
    else if (part === '\u001B[0J') this.#lines.length = this.#row + 1;
    else if (part === '\n') this.#lines[(this.#row += 1)] ??= '';
    else if (part !== '\r' && !part.startsWith('\u001B'))
      this.#lines[this.#row] = `${this.#lines[this.#row] ?? ''}${part}`;
    if (part === '\u001B[0J') this.#lines[this.#row] = '';
  }
}

describe('a picture on a terminal', () => {
  it('is drawn again in its place', () => {
    const terminal = new FakeTerminal();
    terminal.write('$ slipway\n');
    const screen = new LiveScreen(terminal);
    screen.draw('one\ntwo\nthree\n');
    screen.draw('eins\nzwei\n');
    expect(terminal.shown).toEqual(['$ slipway', 'eins', 'zwei']);
  });

  it('shows no more than there is room for, and all of it in the end', () => {
    const terminal = new FakeTerminal();
    const screen = new LiveScreen(terminal);
    const text = Array.from({ length: 10 }, (_, index) => `line ${index}`).join('\n');
    screen.draw(text);
    expect(terminal.shown).toEqual(['line 0', 'line 1', 'line 2', 'line 3', '… and 6 more lines']);
    screen.end(text);
    expect(terminal.shown).toHaveLength(10);
  });
});
