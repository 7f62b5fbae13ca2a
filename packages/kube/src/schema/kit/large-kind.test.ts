import { expect, it } from 'vitest';
import { large } from '../fixtures/large-kind.js';
import { describeFields } from './describe.js';
import { schemaOfKind } from './define-kind.js';

// The fixture is there for the compiler: a kind of this size must not be felt in the time that type checking takes.
it('declares a kind of six hundred fields', () => {
  expect(describeFields(schemaOfKind(large)).length).toBeGreaterThan(600);
});
