import { closeSync, existsSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

export interface LogFileOptions {
  readonly bytesMax?: number;
  /** Number of rotated files beside the current one. */
  readonly keep?: number;
}

const bytesMaxDefault = 10 * 1_024 * 1_024;
const keepDefault = 3;
/** Maximum number of lines that are held in memory until the file may be written. */
const waitingMax = 1_000;

/**
 * A log file that is appended to and rotated by size: slipway.log, slipway.log.1, slipway.log.2 … Lines are held in memory
 * until `open`: only the process that holds the data directory may write the file.
 */
export class LogFile {
  readonly #path: string;
  readonly #bytesMax: number;
  readonly #keep: number;
  readonly #waiting: string[] = [];
  #file: number | undefined;
  #size = 0;

  constructor(path: string, { bytesMax = bytesMaxDefault, keep = keepDefault }: LogFileOptions = {}) {
    this.#path = path;
    this.#bytesMax = bytesMax;
    this.#keep = keep;
  }

  open(): void {
    this.#openFile();
    for (const line of this.#waiting.splice(0)) this.write(line);
  }

  write(line: string): void {
    if (this.#file === undefined) {
      if (this.#waiting.length < waitingMax) this.#waiting.push(line);
      return;
    }
    try {
      if (this.#size > 0 && this.#size + Buffer.byteLength(line) > this.#bytesMax) this.#rotate(this.#file);
      this.#size += writeSync(this.#file, line);
    } catch {
      // Write errors are ignored: a full disk must not stop the management plane, and the store reports its own failed writes.
    }
  }

  #openFile(): void {
    this.#file = openSync(this.#path, 'a', 0o600);
    this.#size = fstatSync(this.#file).size;
  }

  #rotate(file: number): void {
    closeSync(file);
    for (let index = this.#keep - 1; index >= 0; index -= 1) {
      const from = rotatedName(this.#path, index);
      if (existsSync(from)) renameSync(from, rotatedName(this.#path, index + 1));
    }
    this.#openFile();
  }
}

function rotatedName(path: string, index: number): string {
  return index === 0 ? path : `${path}.${index}`;
}

/** Returns the log files that exist, oldest first. */
export function rotatedLogs(path: string): readonly string[] {
  const files: string[] = [];
  for (let index = 0; existsSync(rotatedName(path, index)); index += 1) files.unshift(rotatedName(path, index));
  return files;
}
