import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The parameters that make two runs of a seed comparable. */
export interface SoakSize {
  readonly clusters: number;
  readonly minutes: number;
  readonly scenario?: string | undefined;
}

/** The result of one seed. */
export interface SoakEntry extends SoakSize {
  readonly seed: number;
  /** The commit that was run; empty if unknown. */
  readonly version: string;
  readonly simulatedMs: number;
  readonly cpuMs: number;
  readonly writes: number;
  /** The violated invariant; absent if all held. */
  readonly violation?: string;
}

/** The results of a soak in a file with one line per seed, so that a soak can continue over several runs. */
export class SoakRecord {
  readonly #path: string;
  readonly #entries = new Map<number, SoakEntry>();

  constructor(path: string, size: SoakSize) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) return;
    const text = readFileSync(path, 'utf8');
    if (!text.endsWith('\n')) appendFileSync(path, '\n');
    for (const line of text.split('\n')) {
      const entry = readEntry(line);
      if (entry !== undefined && isSame(entry, size)) this.#entries.set(entry.seed, entry);
    }
  }

  /** Returns whether a seed passed. Failed seeds run again, because the bug may have been fixed since. */
  hasPassed(seed: number): boolean {
    const entry = this.#entries.get(seed);
    return entry !== undefined && entry.violation === undefined;
  }

  add(entry: SoakEntry): void {
    this.#entries.set(entry.seed, entry);
    appendFileSync(this.#path, `${JSON.stringify(entry)}\n`);
  }

  get passed(): readonly SoakEntry[] {
    return [...this.#entries.values()].filter(({ violation }) => violation === undefined);
  }

  get failed(): readonly SoakEntry[] {
    return [...this.#entries.values()].filter(({ violation }) => violation !== undefined);
  }
}

function isSame(left: SoakSize, right: SoakSize): boolean {
  return left.clusters === right.clusters && left.minutes === right.minutes && left.scenario === right.scenario;
}

/** Parses a line. Returns undefined for an incomplete line, which a killed process may have left at the end. */
function readEntry(line: string): SoakEntry | undefined {
  try {
    const entry = JSON.parse(line) as SoakEntry | null;
    return typeof entry?.seed === 'number' ? entry : undefined;
  } catch {
    return undefined;
  }
}
