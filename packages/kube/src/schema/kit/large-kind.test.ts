import { expect, it } from 'vitest';
import { large } from '../fixtures/large-kind.js';
import { describeFields } from './describe.js';
import { schemaOfKind } from './define-kind.js';

// The fixture tests the compiler: a kind of this size must not slow down type checking.
it('declares a kind with six hundred fields', () => {
  expect(describeFields(schemaOfKind(large)).length).toBeGreaterThan(600);
});
