/** A byte that says whether the message is compressed, and four that say how long it is. */
const prefixLength = 5;

class FrameError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FrameError';
  }
}

/** The body of a gRPC call with one message. */
export function encodeFrame(message: Uint8Array): Uint8Array {
  const frame = new Uint8Array(prefixLength + message.length);
  new DataView(frame.buffer).setUint32(1, message.length);
  frame.set(message, prefixLength);
  return frame;
}

/** The message of a body that has exactly one. */
export function decodeFrame(body: Uint8Array): Uint8Array {
  if (body.length < prefixLength) throw new FrameError('the answer has no message');
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  if (view.getUint8(0) !== 0) throw new FrameError('the answer is compressed, which was not asked for');
  if (view.getUint32(1) !== body.length - prefixLength) throw new FrameError('the answer is cut off');
  return body.subarray(prefixLength);
}
