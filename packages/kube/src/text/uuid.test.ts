import fc from 'fast-check';
import { expect, it } from 'vitest';
import { generateUid, isLooseUuid, isUuid } from './uuid.js';

it('generates version 4 UUIDs', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      const uid = generateUid({ bytes: () => bytes });
      expect(uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect([isUuid(uid), isLooseUuid(uid.replaceAll('-', ''), 4)]).toEqual([true, true]);
    }),
  );
});

it.each([
  ['420CFFD6-3355-0B94-E6A2-8D5C1B3D3D1F', true],
  ['420cffd633550b94e6a28d5c1b3d3d1f', false],
  ['420cffd6-3355-0b94-e6a2-8d5c1b3d3d1', false],
  ['', false],
])('returns for isUuid(%j): %s', (text, expected) => {
  expect(isUuid(text)).toBe(expected);
});
