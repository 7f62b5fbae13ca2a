/** A boat on the pond, which represents a machine. */
export interface Boat {
  readonly name: string;
  readonly address: string;
}

/** The simulated infrastructure. A real provider has a client of its cloud here, which must be idempotent in the same way. */
export class Pond {
  readonly #boats = new Map<string, Boat>();
  #moored = 0;

  find(name: string): Boat | undefined {
    return this.#boats.get(name);
  }

  /** Returns the boat of that name, and launches it first if there is none. Idempotent. */
  launch(name: string): Boat {
    const known = this.#boats.get(name);
    if (known !== undefined) return known;
    this.#moored += 1;
    const boat = { name, address: `192.0.2.${this.#moored}` };
    this.#boats.set(name, boat);
    return boat;
  }

  /** Removes a boat. Idempotent: sinking a boat that does not exist succeeds. */
  sink(name: string): void {
    this.#boats.delete(name);
  }

  get boats(): readonly Boat[] {
    return [...this.#boats.values()];
  }
}
