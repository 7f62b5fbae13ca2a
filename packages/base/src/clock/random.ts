/** The only source of randomness, for the same reason as the clock. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** `length` random bytes: cryptographically secure in production, seeded in the simulation. */
  bytes(length: number): Uint8Array;
}
