import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFrame, encodeFrame } from './wire.js';
import { message, texts, uint64 } from './message.js';
import { etcdRpcs } from './rpc.js';

function hex(text: string): Uint8Array {
  return Buffer.from(text.replaceAll(' ', ''), 'hex');
}

describe('messages', () => {
  it('decode the output of etcd', () => {
    // MemberListResponse of a member 0x8e9e05c52164694d named "m1" with two URLs, as protoc encodes it.
    const bytes = hex(
      `0a 0d 08 cd d3 91 a9 d2 b8 81 cf 8e 01 18 05
       12 1d 08 cd d3 91 a9 d2 b8 81 cf 8e 01 12 02 6d 31 1a 05 68 3a 2f 2f 61 22 05 68 3a 2f 2f 62`.replaceAll(
        /\s/g,
        '',
      ),
    );
    expect(etcdRpcs.memberList.response.decode(bytes)).toMatchObject({
      header: { memberId: 0n, revision: 5n },
      members: [{ name: 'm1', peerUrls: ['h://a'], clientUrls: ['h://b'], isLearner: false }],
    });
  });

  it.each([
    { name: 'omits zero values', bytes: etcdRpcs.memberList.request.encode({ linearizable: false }), then: '' },
    { name: 'a flag', bytes: etcdRpcs.memberList.request.encode({ linearizable: true }), then: '0801' },
    {
      name: 'encodes the largest ID',
      bytes: etcdRpcs.memberRemove.request.encode({ id: 2n ** 64n - 1n }),
      then: '08ffffffffffffffffff01',
    },
    {
      name: 'encodes a negative revision',
      bytes: message({ value: uint64(1) }).encode({ value: -1n }),
      then: '08ffffffffffffffffff01',
    },
    {
      name: 'keeps empty strings in a list',
      bytes: message({ list: texts(2) }).encode({ list: ['', 'a'] }),
      then: '1200120161',
    },
  ])('are encoded: $name', ({ bytes, then }) => {
    expect(Buffer.from(bytes).toString('hex')).toBe(then);
  });

  it('round-trip', () => {
    const id = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    const member = fc.record({
      id,
      name: fc.string(),
      peerUrls: fc.array(fc.string()),
      clientUrls: fc.array(fc.string()),
      isLearner: fc.boolean(),
    });
    const header = fc.record({
      clusterId: id,
      memberId: id,
      revision: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      raftTerm: id,
    });
    fc.assert(
      fc.property(fc.record({ header, members: fc.array(member) }), (value) => {
        const { response } = etcdRpcs.memberList;
        expect(response.decode(response.encode(value))).toEqual(value);
      }),
    );
  });

  it('skip unknown fields of every wire type', () => {
    const unknown = '7801 7a0161 790102030405060708 7d01020304';
    expect(etcdRpcs.memberRemove.request.decode(hex(`${unknown} 0805`))).toEqual({ id: 5n });
  });

  it.each([
    { name: 'truncated in a number', bytes: '08ff' },
    { name: 'truncated in a string', bytes: '120561' },
    { name: 'a varint longer than 64 bits', bytes: `08${'ff'.repeat(11)}` },
    { name: 'a length beyond the message', bytes: '12ffffffffffffffff7f' },
    { name: 'an unknown wire type', bytes: '0b' },
    { name: 'a string instead of a number', bytes: '0a0161' },
  ])('are rejected: $name', ({ bytes }) => {
    expect(() => etcdRpcs.memberRemove.request.decode(hex(bytes))).toThrow(/./);
  });

  it('fail only with a protocol error on any input', () => {
    const outcomeOf = (bytes: Uint8Array): string => {
      try {
        etcdRpcs.status.response.decode(bytes);
        return 'read';
      } catch (error) {
        return (error as Error).name;
      }
    };
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(['read', 'WireError']).toContain(outcomeOf(bytes));
      }),
    );
  });
});

describe('gRPC frames', () => {
  it('contain one message', () => {
    expect(Buffer.from(encodeFrame(hex('0801'))).toString('hex')).toBe('00000000020801');
    expect(decodeFrame(hex('00000000020801'))).toEqual(hex('0801'));
  });

  it.each([
    { name: 'nothing', bytes: '' },
    { name: 'less data than the declared length', bytes: '000000000301' },
    { name: 'two messages', bytes: '0000000000 0000000000' },
    { name: 'compressed', bytes: '0100000000' },
  ])('are rejected: $name', ({ bytes }) => {
    expect(() => decodeFrame(hex(bytes))).toThrow(/./);
  });
});
