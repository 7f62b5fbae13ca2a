import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { broken } from './bundle.js';
import { catchMutation } from './catch-mutation.js';
import { mutations } from './mutations.js';

const root = new URL('../../../../', import.meta.url);

describe('mutations', () => {
  it.each(mutations.map((mutation) => [mutation.name, mutation] as const))(
    'finds exactly one match for %s',
    async (_, mutation) => {
      const text = await readFile(new URL(mutation.file, root), 'utf8');
      expect(broken(text, mutation)).not.toBe(text);
    },
  );
});

// Each mutation runs in the scenario that stresses the mutated code, in the smallest possible environment: all mutations together
// take a minute.
describe('simulation of mutated sources', () => {
  it.each(mutations.map((mutation) => [mutation.bug, mutation] as const))(
    'detects %s',
    async (_, mutation) => {
      expect(await catchMutation(mutation)).toMatchObject({ caught: true });
    },
    600_000,
  );
});
