/** A boat on the pond: what stands for a machine here. */
export interface Boat {
  readonly name: string;
  readonly address: string;
}

/** The infrastructure itself. A real provider has a client of its cloud here; what it promises is the same. */
export class Pond {
  readonly #boats = new Map<string, Boat>();
  #moored = 0;

  /** Gives the boat of that name, and launches it first if there is none: asking twice is as good as asking once. */
  launch(name: string): Boat {
    const known = this.#boats.get(name);
    if (known !== undefined) return known;
    this.#moored += 1;
    const boat = { name, address: `192.0.2.${this.#moored}` };
    this.#boats.set(name, boat);
    return boat;
  }

  /** One that is gone already is no mistake. */
  sink(name: string): void {
    this.#boats.delete(name);
  }

  get boats(): readonly Boat[] {
    return [...this.#boats.values()];
  }
}
