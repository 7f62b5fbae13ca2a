import { expect, it } from 'vitest';
import { systemRandom } from './system-random.js';

it('returns separate bytes to each caller and never repeats them', () => {
  const seen = new Set<string>();
  for (let round = 0; round < 2_000; round += 1) {
    const bytes = systemRandom.bytes(16);
    expect(bytes).toHaveLength(16);
    seen.add(Buffer.from(bytes).toString('hex'));
    bytes.fill(0);
  }
  expect(seen.size).toBe(2_000);
});

it('returns the requested number of bytes', () => {
  for (const length of [0, 1, 63, 64, 65, 4_096, 10_000]) expect(systemRandom.bytes(length)).toHaveLength(length);
});
