import type { Secret } from '@slipway/runtime';
import { expect, it } from 'vitest';
import { CheckedSecrets } from './control-plane-scope.js';

const secret = (resourceVersion: string): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's', uid: 'u', resourceVersion },
});

it('caches a validated Secret until it changes, for at most an hour', () => {
  const checked = new CheckedSecrets();
  checked.note('a', [secret('1')], 0);
  expect(checked.isFresh('a', [secret('1')], 3_599_999)).toBe(true);
  expect(checked.isFresh('a', [secret('1')], 3_600_000)).toBe(false);
  expect(checked.isFresh('a', [secret('2')], 1)).toBe(false);
  expect(checked.isFresh('a', [], 1)).toBe(false);
  expect(checked.isFresh('b', [secret('1')], 1)).toBe(false);
});
