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
    // Nobody can go back up to what the terminal has scrolled away.
    const shown =
      lines.length <= room ? lines : [...lines.slice(0, room - 1), `… and ${lines.length - room + 1} more lines`];
    this.#replace(shown);
  }

  /** The last picture, in full. */
  end(text: string): void {
    this.#replace(text === '' ? [] : text.replace(/\n$/, '').split('\n'));
    this.#lines = [];
    this.#screen.write(showCursor);
  }

  #replace(lines: readonly string[]): void {
    const body = lines.map((line) => `${clearLine}${line}\n`).join('');
    this.#screen.write(`${beginFrame}\r${this.#up()}${body}${clearBelow}${endFrame}`);
    this.#lines = lines;
  }

  #up(): string {
    return this.#lines.length === 0 ? '' : `\u001B[${this.#lines.length}A`;
  }
}
