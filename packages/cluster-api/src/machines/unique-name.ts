import { randomSuffix, type RandomSource } from '@slipway/kube';

const suffixLength = 5;
const attemptsMax = 20;

/** Draws five random characters until `nameOf` returns an unused name. Returns both. */
export function drawUniqueName(
  nameOf: (suffix: string) => string,
  isTaken: (name: string) => boolean,
  random: RandomSource,
): { readonly name: string; readonly suffix: string } {
  for (let attempt = 1; ; attempt += 1) {
    const suffix = randomSuffix(random, suffixLength);
    const name = nameOf(suffix);
    // A name template without a random part always returns the same name. The server then rejects it as already existing.
    if (attempt === attemptsMax || !isTaken(name)) return { name, suffix };
  }
}
