/** The only source of randomness. Production code never uses another one: the simulation replays a run from its seed. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** `length` random bytes: cryptographically secure in production, seeded in the simulation. */
  bytes(length: number): Uint8Array;
}
