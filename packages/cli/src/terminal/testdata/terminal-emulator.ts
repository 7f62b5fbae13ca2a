const escape = String.fromCodePoint(27);
const token = new RegExp(`(${escape}\\[[?0-9;]*[A-Za-z]|\\r|\\n)`);
const upwards = new RegExp(`^${escape}\\[(\\d+)A$`);

/**
 * A small terminal: it wraps at its width, scrolls at its height, and never moves the cursor up beyond the top of the
 * screen. Understands the sequences that LiveScreen writes.
 */
export class TerminalEmulator {
  columns: number;
  rows: number;
  /** Lines that were scrolled off the screen, which no sequence can reach. */
  readonly #scrollback: string[] = [];
  #screen: string[] = [''];
  #row = 0;
  #column = 0;

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
  }

  write(text: string): void {
    for (const part of text.split(token)) if (part !== '') this.#obey(part);
  }

  /** Everything that a user sees, scrollback included, without empty lines at the end. */
  get lines(): readonly string[] {
    const all = [...this.#scrollback, ...this.#screen].map((line) => line.trimEnd());
    while (all.at(-1) === '') all.pop();
    return all;
  }

  /** Reflows long lines, as terminals do when they become narrower. */
  resize(columns: number): void {
    const width = new RegExp(`.{1,${columns}}`, 'gu');
    const before = this.#screen.slice(0, this.#row).flatMap((line) => line.trimEnd().match(width) ?? ['']);
    this.columns = columns;
    this.#screen = [...before, ...this.#screen.slice(this.#row)];
    this.#row = before.length;
    this.#scroll();
  }

  #obey(part: string): void {
    const [, count] = upwards.exec(part) ?? [];
    if (count !== undefined) this.#row = Math.max(this.#row - Number(count), 0);
    else if (part === `${escape}[2K`) this.#screen[this.#row] = '';
    else if (part === `${escape}[0J`) this.#clearBelow();
    else if (part === '\r') this.#column = 0;
    else if (part === '\n') this.#newLine();
    else if (!part.startsWith(escape)) for (const character of part) this.#put(character);
  }

  #clearBelow(): void {
    this.#screen.length = this.#row + 1;
    this.#screen[this.#row] = (this.#screen[this.#row] ?? '').slice(0, this.#column);
  }

  /** Writes a character. The wrap is deferred: a line that fills the width exactly does not start another one. */
  #put(character: string): void {
    if (this.#column >= this.columns) this.#newLine();
    const line = (this.#screen[this.#row] ?? '').padEnd(this.#column);
    this.#screen[this.#row] = line.slice(0, this.#column) + character + line.slice(this.#column + 1);
    this.#column += 1;
  }

  #newLine(): void {
    this.#row += 1;
    this.#column = 0;
    this.#screen[this.#row] ??= '';
    this.#scroll();
  }

  #scroll(): void {
    while (this.#screen.length > this.rows) {
      this.#scrollback.push(this.#screen.shift() ?? '');
      this.#row = Math.max(this.#row - 1, 0);
    }
  }
}
