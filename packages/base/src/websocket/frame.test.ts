import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeWebSocketFrame, webSocketAccept, WebSocketDecoder, type WebSocketMessage } from './frame.js';

function decode(bytes: Uint8Array, pieceLength: number): WebSocketMessage[] {
  const decoder = new WebSocketDecoder({ payloadBytesMax: 1024 * 1024 });
  const messages: WebSocketMessage[] = [];
  for (let start = 0; start < bytes.length; start += pieceLength)
    messages.push(...decoder.push(bytes.subarray(start, start + pieceLength)));
  return messages;
}

describe('WebSocket frames', () => {
  it('computes Sec-WebSocket-Accept for the example key of RFC 6455', () => {
    expect(webSocketAccept('dGhlIHNhbXBsZSBub25jZQ==')).toBe('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
  });

  it('round-trips frames, masked or not, in chunks of any length', () => {
    const message = fc.record({
      opcode: fc.constantFrom(1, 2, 8, 9, 10),
      payload: fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ minLength: 65_530, maxLength: 65_545 })),
      mask: fc.option(fc.uint8Array({ minLength: 4, maxLength: 4 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 4 }), fc.integer({ min: 1, max: 70_000 }), (messages, pieceLength) => {
        const bytes = Buffer.concat(
          messages.map(({ opcode, payload, mask }) => encodeWebSocketFrame(opcode, payload, mask)),
        );
        expect(decode(bytes, pieceLength).map(({ opcode, payload }) => ({ opcode, payload: [...payload] }))).toEqual(
          messages.map(({ opcode, payload }) => ({ opcode, payload: [...payload] })),
        );
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    { name: 'the unmasked example of RFC 6455', bytes: '8105 48656c6c6f', then: [{ opcode: 1, text: 'Hello' }] },
    { name: 'the masked example of RFC 6455', bytes: '8185 37fa213d 7f9f4d5158', then: [{ opcode: 1, text: 'Hello' }] },
    {
      name: 'a message in two frames with a ping between them',
      bytes: '0103 48656c 8900 8002 6c6f',
      then: [
        { opcode: 9, text: '' },
        { opcode: 1, text: 'Hello' },
      ],
    },
  ])('reads a frame: $name', ({ bytes, then }) => {
    const messages = decode(Buffer.from(bytes.replaceAll(' ', ''), 'hex'), 1);
    expect(messages.map(({ opcode, payload }) => ({ opcode, text: Buffer.from(payload).toString() }))).toEqual(then);
  });

  it.each([
    { name: 'an extension that was not negotiated', bytes: 'c105' },
    { name: 'a continuation without a first frame', bytes: '8001 00' },
    { name: 'a new message inside a fragmented message', bytes: '0101 00 8101 00' },
    { name: 'a frame above the size limit', bytes: '827f 0000000000100001' },
    { name: 'a length above Number.MAX_SAFE_INTEGER', bytes: '827f ffffffffffffffff' },
  ])('rejects a frame: $name', ({ bytes }) => {
    expect(() => decode(Buffer.from(bytes.replaceAll(' ', ''), 'hex'), 100)).toThrow(/./);
  });
});
