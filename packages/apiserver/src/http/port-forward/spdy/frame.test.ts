import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { controlFrame, dataFrame, type SpdyFrame, SpdyFrameReader } from './frame.js';
import { HeaderBlockCoder } from './header-block.js';
import { headerDictionary } from './header-dictionary.js';

/** Computes the checksum by which zlib identifies a dictionary. */
function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return ((b << 16) | a) >>> 0;
}

describe('SPDY frames', () => {
  it('uses the standard compression dictionary', () => {
    expect(headerDictionary).toHaveLength(1_423);
    expect(adler32(headerDictionary)).toBe(0xe3c6a7c2);
  });

  it('parses frames regardless of chunk boundaries', () => {
    const frame = fc.record({
      isData: fc.boolean(),
      number: fc.integer({ min: 1, max: 0xffff }),
      flags: fc.constantFrom(0, 1),
      payload: fc.uint8Array({ maxLength: 300 }),
    });
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 5 }), fc.integer({ min: 1, max: 400 }), (frames, pieceLength) => {
        const bytes = Buffer.concat(
          frames.map(({ isData, number, flags, payload }) =>
            isData ? dataFrame(number, payload, flags) : controlFrame(number, payload, flags),
          ),
        );
        const reader = new SpdyFrameReader(1_000);
        const read: SpdyFrame[] = [];
        for (let start = 0; start < bytes.length; start += pieceLength)
          read.push(...reader.push(bytes.subarray(start, start + pieceLength)));
        expect(read).toEqual(
          frames.map(({ isData, number, flags, payload }) =>
            isData
              ? { kind: 'data', streamId: number, flags, payload: Buffer.from(payload) }
              : { kind: 'control', type: number, flags, payload: Buffer.from(payload) },
          ),
        );
      }),
    );
  });

  it('rejects frames that are too long', () => {
    expect(() => new SpdyFrameReader(10).push(dataFrame(1, Buffer.alloc(11)))).toThrow('longer than allowed');
  });

  it('compresses headers as one stream', async () => {
    const [near, far] = [new HeaderBlockCoder(), new HeaderBlockCoder()];
    const blocks = [
      new Map([
        ['streamtype', 'error'],
        ['port', '2379'],
        ['requestid', '0'],
      ]),
      new Map(),
      new Map([
        ['streamtype', 'data'],
        ['port', '2379'],
        ['requestid', '0'],
      ]),
    ];
    for (const headers of blocks) expect(await far.decode(await near.encode(headers))).toEqual(headers);
    near.close();
    far.close();
  });

  it('rejects headers that are not compressed', async () => {
    const coder = new HeaderBlockCoder();
    await expect(coder.decode(Buffer.from('streamtype: data'))).rejects.toThrow('incorrect header check');
    coder.close();
  });
});
