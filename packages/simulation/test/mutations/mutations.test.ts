import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { broken } from './bundle.js';
import { catchMutation } from './catch-mutation.js';
import { mutations } from './mutations.js';

const root = new URL('../../../../', import.meta.url);

describe('every mutation', () => {
  it.each(mutations.map((mutation) => [mutation.name, mutation] as const))('%s hits one place', async (_, mutation) => {
    const text = await readFile(new URL(mutation.file, root), 'utf8');
    expect(broken(text, mutation)).not.toBe(text);
  });
});

// All of them take minutes: `npm run sim:mutations`. These are caught by their first seeds.
const quick: readonly string[] = ['published-too-early', 'skipped-finalizer', 'garbage-stays'];

describe('the simulation catches', () => {
  const chosen = mutations.filter(({ name }) => quick.includes(name));
  it.each(chosen.map((mutation) => [mutation.mistake, mutation] as const))(
    '%s',
    async (_, mutation) => {
      expect(await catchMutation(mutation)).toMatchObject({ caught: true });
    },
    300_000,
  );
});
