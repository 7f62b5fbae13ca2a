import type { FieldError } from '../../errors/index.js';

// Deeper values can only be an attack: a schema that contains itself would otherwise let them exhaust the stack.
export const depthMax = 512;

/** Where a walk is and what it found. The path is a stack, so that a walk without findings allocates nothing. */
export class Walker {
  errors: FieldError[] = [];
  /** How many checks applied, by upstream's count: it chooses which failed alternative of anyOf is reported. */
  matches = 0;
  depth = 0;
  readonly #keys: (string | number)[] = [];
  readonly #prefix: string;

  constructor(
    prefix: string,
    /** Passes over what is the very same as in the old value, and otherwise takes no account of that. */
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

  /** The path from where the walk began, as the text of an error names it. */
  name(): string {
    let text = '';
    for (let index = 0; index < this.depth; index += 1) {
      const key = this.#keys[index] ?? '';
      if (typeof key === 'number') text += `[${key}]`;
      else text += text === '' ? key : `.${key}`;
    }
    return text;
  }

  /** The path from the root of the object, as `field` of an error has it. */
  field(): string {
    const name = this.name();
    if (name === '') return this.root();
    return this.#prefix === '' ? name : `${this.#prefix}.${name}`;
  }

  /** Where errors are filed that name no field: compositions and number ranges. */
  root(): string {
    return this.#prefix === '' ? '<nil>' : this.#prefix;
  }
}
