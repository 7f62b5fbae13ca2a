/** What is drawn on: a terminal. */
export interface Screen {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

const clearLine = '\u001B[2K';
const clearBelow = '\u001B[0J';
const hideCursor = '\u001B[?25l';
const showCursor = '\u001B[?25h';
/** The terminal takes what comes between as one picture, so that nothing flickers. */
const beginFrame = '\u001B[?2026h';
const endFrame = '\u001B[?2026l';

/** A picture that is drawn again in its place. What was written before it stays, and its last state stays behind it. */
export class LiveScreen {
  readonly #screen: Screen;
  #drawn = 0;

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
    // Nobody can go back up to what the terminal has scrolled away.
    const shown =
      lines.length <= room ? lines : [...lines.slice(0, room - 1), `… and ${lines.length - room + 1} more lines`];
    this.#replace(shown);
  }

  /** The last picture, in full. */
  end(text: string): void {
    this.#replace(text.replace(/\n$/, '').split('\n'));
    this.#drawn = 0;
    this.#screen.write(showCursor);
  }

  #replace(lines: readonly string[]): void {
    const up = this.#drawn === 0 ? '' : `\u001B[${this.#drawn}A`;
    const body = lines.map((line) => `${clearLine}${line}\n`).join('');
    this.#screen.write(`${beginFrame}\r${up}${body}${clearBelow}${endFrame}`);
    this.#drawn = lines.length;
  }
}
