import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeFrame, encodeFrame } from './log-frame.js';

const bytes = fc.uint8Array({ maxLength: 64 }).map((array) => Buffer.from(array));
const frame = fc.record({
  revision: fc.nat(),
  compacted: fc.nat(),
  dropped: fc.array(fc.nat()),
  writes: fc.array(
    fc.record({
      revision: fc.nat(),
      id: fc.string(),
      record: fc.option(bytes, { nil: undefined }),
      undo: fc.option(bytes, { nil: undefined }),
    }),
  ),
});

it('decodes an encoded frame', () => {
  fc.assert(
    fc.property(frame, (written) => {
      expect(decodeFrame(encodeFrame(written), 0)?.frame).toEqual(written);
    }),
  );
});

it('rejects a frame with a changed bit or a missing byte', () => {
  fc.assert(
    fc.property(frame, fc.nat(), fc.nat({ max: 7 }), fc.boolean(), (written, at, bit, isCut) => {
      const whole = encodeFrame(written);
      const place = at % whole.length;
      const damaged = isCut ? whole.subarray(0, place) : Buffer.from(whole);
      if (!isCut) damaged[place] = (damaged[place] ?? 0) ^ (1 << bit);
      expect(decodeFrame(damaged, 0)).toBeUndefined();
    }),
  );
});

it('does not throw for arbitrary bytes', () => {
  const read = (log: Uint8Array, start: number): void => void decodeFrame(Buffer.from(log), start);
  expect(() => fc.assert(fc.property(fc.uint8Array(), fc.nat({ max: 40 }), read))).not.toThrow();
});
