import { expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.js';

it('sorts keys, keeps large integers and omits undefined members', () => {
  expect(canonicalJson({ b: [1, { d: null, c: 2n ** 60n }], a: undefined, A: 'x"' })).toBe(
    '{"A":"x\\"","b":[1,{"c":1152921504606846976,"d":null}]}',
  );
});
