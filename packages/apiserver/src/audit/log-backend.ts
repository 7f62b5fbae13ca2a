import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { Clock } from '@slipway/base';
import type { AuditBackend } from './audit-event.js';

export interface AuditLogOptions {
  /** Path of the file, or `-` for standard output. */
  readonly path: string;
  /** Size at which the file is rotated. 0 disables rotation. */
  readonly bytesMax: number;
  /** Days that rotated files are kept. 0 keeps them regardless of their age. */
  readonly daysMax: number;
  /** Number of rotated files that are kept. 0 keeps all. */
  readonly filesMax: number;
  readonly clock: Clock;
  /** Called if a line cannot be written, for example on a full disk. */
  readonly onError: (error: unknown) => void;
}

const dayMs = 86_400_000;
const standardOutput = 1;

/**
 * Appends one JSON line per event, before the response is sent. Rotated files get the time of their rotation in their name, as
 * kube-apiserver names them: `audit-2026-01-31T12-00-00.000.log`.
 */
export class AuditLogBackend implements AuditBackend {
  readonly name = 'log';
  readonly #options: AuditLogOptions;
  #file: number;
  #size = 0;

  /** Opens the file. Throws if it cannot be written. */
  constructor(options: AuditLogOptions) {
    this.#options = options;
    this.#file = this.#open();
  }

  accept(event: string): void {
    const line = Buffer.from(`${event}\n`);
    const { bytesMax, onError } = this.#options;
    try {
      if (bytesMax > 0 && this.#size > 0 && this.#size + line.length > bytesMax) this.#rotate();
      this.#write(line);
    } catch (error) {
      onError(error);
    }
  }

  close(): Promise<void> {
    if (this.#file !== standardOutput) closeSync(this.#file);
    return Promise.resolve();
  }

  #write(line: Buffer): void {
    for (let at = 0; at < line.length; ) at += writeSync(this.#file, line, at);
    this.#size += line.length;
  }

  #open(): number {
    const { path } = this.#options;
    if (path === '-') return standardOutput;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // Events can contain Secrets if the policy asks for request or response bodies.
    const file = openSync(path, 'a', 0o600);
    this.#size = fstatSync(file).size;
    return file;
  }

  #rotate(): void {
    const { path, clock } = this.#options;
    if (path === '-') return;
    const now = clock.now();
    closeSync(this.#file);
    try {
      renameSync(path, this.#rotatedName(now));
    } finally {
      this.#file = this.#open();
    }
    this.#removeOld(now);
  }

  #rotatedName(now: number): string {
    const { path } = this.#options;
    const time = new Date(now).toISOString().replaceAll(':', '-').replace(/Z$/, '');
    const extension = extname(path);
    return join(dirname(path), `${basename(path, extension)}-${time}${extension}`);
  }

  #removeOld(now: number): void {
    const { path, daysMax, filesMax } = this.#options;
    const rotated = rotatedFiles(path);
    const tooMany = filesMax > 0 ? rotated.slice(filesMax) : [];
    const tooOld = daysMax > 0 ? rotated.filter(({ time }) => time < now - daysMax * dayMs) : [];
    for (const { file } of new Set([...tooMany, ...tooOld])) unlinkSync(file);
  }
}

/** Returns the rotated files, newest first. */
function rotatedFiles(path: string): readonly { readonly file: string; readonly time: number }[] {
  const extension = extname(path);
  const prefix = `${basename(path, extension)}-`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix) && name.endsWith(extension))
    .map((name) => ({
      file: join(dirname(path), name),
      time: timeOf(name.slice(prefix.length, name.length - extension.length)),
    }))
    .filter(({ time }) => !Number.isNaN(time))
    .toSorted((left, right) => right.time - left.time);
}

function timeOf(text: string): number {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2}\.\d{3})$/.exec(text);
  return match === null ? Number.NaN : Date.parse(`${match[1]}T${match[2]}:${match[3]}:${match[4]}Z`);
}
