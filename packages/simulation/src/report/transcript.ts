import { createHash } from 'node:crypto';
import type { ChangeRecord } from '@slipway/runtime';

const recentMax = 600;
/** Number of characters that are hashed together, because each call has a fixed cost. */
const unhashedMax = 16_384;

/** A log with one line per event. The digest covers all lines. Only the newest lines are kept, unless `keepAll` is set. */
export class Transcript {
  readonly #hash = createHash('sha256');
  readonly #lines: string[] = [];
  readonly #keepAll: boolean;
  readonly #onLine: ((line: string) => void) | undefined;
  #count = 0;
  #unhashed = '';

  constructor(
    private readonly elapsedMs: () => number,
    { keepAll = false, onLine }: { readonly keepAll?: boolean; readonly onLine?: (line: string) => void } = {},
  ) {
    this.#keepAll = keepAll;
    this.#onLine = onLine;
  }

  write(text: string): void {
    const line = `${timeOf(this.elapsedMs())} ${text}`;
    this.#unhashed += `${line}\n`;
    if (this.#unhashed.length > unhashedMax) this.#update();
    this.#count += 1;
    this.#lines.push(line);
    this.#onLine?.(line);
    if (!this.#keepAll && this.#lines.length > 2 * recentMax) this.#lines.splice(0, recentMax);
  }

  get count(): number {
    return this.#count;
  }

  get lines(): readonly string[] {
    return this.#keepAll ? this.#lines : this.#lines.slice(-recentMax);
  }

  /** Returns the digest, which is equal for two runs with the same events. */
  digest(): string {
    this.#update();
    return this.#hash.copy().digest('hex');
  }

  #update(): void {
    this.#hash.update(this.#unhashed);
    this.#unhashed = '';
  }
}

/** Formats a change with its controller, object and reason. */
export function changeLine(process: string, record: ChangeRecord): string {
  const { controller, verb, action, object, cluster, reason, message, result, error } = record;
  const target = `${action ?? verb} ${object.kind} ${object.name}${cluster === undefined ? '' : ` on ${cluster}`}`;
  const outcome = error === undefined ? (result === 'unchanged' ? ', unchanged' : '') : `, failed: ${error}`;
  return `${process} ${controller}: ${target}, ${reason}: ${message}${outcome}`;
}

/** Formats the time since the start of the run as `01:02:03.004`. */
function timeOf(ms: number): string {
  const part = (value: number, length: number): string => String(Math.floor(value)).padStart(length, '0');
  return `${part(ms / 3_600_000, 2)}:${part((ms / 60_000) % 60, 2)}:${part((ms / 1_000) % 60, 2)}.${part(ms % 1_000, 3)}`;
}
