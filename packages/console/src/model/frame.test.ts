import { createMergePatch, type JsonObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { patched } from './frame.js';

const before = { rows: { a: { name: 'a', count: [1, 2] }, b: { name: 'b', count: [3, 3] } }, why: { text: 'x' } };

describe('patched', () => {
  it('returns the value that the server sent', () => {
    const after = { rows: { a: { name: 'a', count: [2, 2] }, c: { name: 'c', count: [0, 0] } } };
    const patch = createMergePatch(before as unknown as JsonObject, after as unknown as JsonObject);
    expect(patched(before, patch)).toEqual(after);
  });

  it('shares unchanged parts with the old value and does not modify it', () => {
    const copy = structuredClone(before);
    const after = patched(before, { rows: { a: null } });
    expect(after.rows.b).toBe(before.rows.b);
    expect(after.why).toBe(before.why);
    expect(before).toEqual(copy);
  });
});
