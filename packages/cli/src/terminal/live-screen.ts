import stringWidth from 'string-width';

/** The part of a terminal stream that LiveScreen uses. */
export interface Screen {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

const clearLine = '\u001B[2K';
const clearBelow = '\u001B[0J';
const hideCursor = '\u001B[?25l';
const showCursor = '\u001B[?25h';
const resetStyle = '\u001B[0m';
/**
 * Escape sequences of a synchronized update: the terminal shows the output between them in one step, which avoids
 * flicker.
 */
const beginFrame = '\u001B[?2026h';
const endFrame = '\u001B[?2026l';
const styleSequence = new RegExp(`(${String.fromCodePoint(27)}\\[[0-9;]*m)`);

/**
 * Redraws its output in place. Earlier output stays above it, and the last state stays on the screen. Each line takes
 * one row: if the terminal wrapped a line, the number of rows to move up would be wrong.
 */
export class LiveScreen {
  readonly #screen: Screen;
  #lines: readonly string[] = [];

  constructor(screen: Screen) {
    this.#screen = screen;
    screen.write(hideCursor);
  }

  get width(): number {
    return this.#screen.columns ?? 80;
  }

  draw(text: string): void {
    const lines = text.replace(/\n$/, '').split('\n');
    const room = Math.max((this.#screen.rows ?? 24) - 1, 1);
    // The cursor cannot go back to lines that were scrolled off the screen.
    const shown =
      lines.length <= room ? lines : [...lines.slice(0, room - 1), `… and ${lines.length - room + 1} more lines`];
    this.#replace(shown.map((line) => cutLine(line, this.width)));
  }

  /** Draws the final output in full, even if it is longer than the screen. */
  end(text: string): void {
    this.#replace(text === '' ? [] : text.replace(/\n$/, '').split('\n'));
    this.#lines = [];
    this.#screen.write(showCursor);
  }

  #replace(lines: readonly string[]): void {
    const body = lines.map((line) => `${clearLine}${line}\n`).join('');
    // Do not clear the screen before drawing: a terminal that clears from its first row copies the previous output into
    // its scrollback.
    this.#screen.write(`${beginFrame}\r${this.#up()}${body}${clearBelow}${endFrame}`);
    this.#lines = lines;
  }

  /**
   * Returns the sequence that moves to the start of the previous output. A terminal that became narrower has wrapped its lines,
   * so each takes several rows.
   */
  #up(): string {
    const rows = this.#lines.reduce((sum, line) => sum + Math.max(Math.ceil(stringWidth(line) / this.width), 1), 0);
    return rows === 0 ? '' : `\u001B[${rows}A`;
  }
}

/** Cuts a line at a width. Style sequences have no width and are kept. */
function cutLine(line: string, width: number): string {
  if (stringWidth(line) <= width) return line;
  let room = width - 1;
  let cut = '';
  for (const part of line.split(styleSequence)) {
    if (styleSequence.test(part)) {
      cut += part;
      continue;
    }
    for (const character of part) {
      room -= stringWidth(character);
      if (room < 0) return `${cut}…${resetStyle}`;
      cut += character;
    }
  }
  return cut;
}
