import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { duplexPair } from './duplex-pair.js';

describe('the two ends of an in-process connection', () => {
  it('carry bytes both ways', async () => {
    const [left, right] = duplexPair();
    left.end('from the left');
    right.end('from the right');
    const [onTheRight, onTheLeft] = await Promise.all([buffer(right), buffer(left)]);
    expect(onTheRight.toString()).toBe('from the left');
    expect(onTheLeft.toString()).toBe('from the right');
  });

  it('apply backpressure while the other end does not read', async () => {
    const [left, right] = duplexPair();
    const piece = Buffer.alloc(64 * 1024);
    let written = 0;
    while (left.write(piece)) written += 1;
    expect(written).toBeLessThan(10);
    const received = buffer(right);
    left.end();
    expect((await received).length).toBe((written + 1) * piece.length);
  });

  it('close together', async () => {
    const [left, right] = duplexPair();
    const closed = once(right, 'close');
    left.destroy();
    await closed;
    expect(right.destroyed).toBe(true);
  });
});
