import type { FieldError } from '../../errors/index.js';

// Maximum depth: with a recursive schema, a hostile value could otherwise exhaust the stack.
export const depthMax = 512;

/** The position and the errors of a walk. The path is a stack, so that a walk without errors allocates nothing. */
export class Walker {
  errors: FieldError[] = [];
  /** The number of applied checks, counted like upstream. It determines which failed alternative of anyOf is reported. */
  matches = 0;
  depth = 0;
  readonly #keys: (string | number)[] = [];
  readonly #prefix: string;

  constructor(
    prefix: string,
    /** Whether to skip values that are identical to the old value. */
    readonly skipsShared = false,
  ) {
    this.#prefix = prefix;
  }

  enter(key: string | number): void {
    this.#keys[this.depth] = key;
    this.depth += 1;
  }

  leave(): void {
    this.depth -= 1;
  }

  /** The path from the start of the walk, for error messages. */
  name(): string {
    let text = '';
    for (let index = 0; index < this.depth; index += 1) {
      const key = this.#keys[index] ?? '';
      if (typeof key === 'number') text += `[${key}]`;
      else text += text === '' ? key : `.${key}`;
    }
    return text;
  }

  /** The path from the root of the object, for the `field` of an error. */
  field(): string {
    const name = this.name();
    if (name === '') return this.root();
    return this.#prefix === '' ? name : `${this.#prefix}.${name}`;
  }

  /** Returns the field of errors that have none themselves: errors of compositions and number ranges. */
  root(): string {
    return this.#prefix === '' ? '<nil>' : this.#prefix;
  }
}
