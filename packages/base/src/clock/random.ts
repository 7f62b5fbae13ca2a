/** The only source of chance, for the same reason as the clock. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** `length` random bytes; cryptographic in production, seeded in simulation. */
  bytes(length: number): Uint8Array;
}
