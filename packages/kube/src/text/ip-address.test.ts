import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cidrContains,
  cidrsOverlap,
  formatCidr,
  isCidr,
  maskCidr,
  parsePrefix,
  rangeOf,
  tryParseCidr,
} from './cidr.js';
import {
  formatIp,
  type IpAddress,
  isIp,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isMulticast,
  isUnspecified,
  parseZonedIp,
  tryParseIp,
} from './ip-address.js';

function ip(text: string): IpAddress {
  const address = tryParseIp(text);
  if (address === undefined) throw new Error(`${text} is not an address`);
  return address;
}

describe('IP addresses', () => {
  it.each([
    ['10.9.8.7', '10.9.8.7'],
    ['255.255.255.255', '255.255.255.255'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['::', '::'],
    ['1::', '1::'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['64:ff9b::10.0.0.1', '64:ff9b::a00:1'],
  ])('formats %s as %s', (text, printed) => {
    expect(formatIp(ip(text))).toBe(printed);
  });

  it.each([
    '',
    '1',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '1.2.3.256',
    '1.2.3.4 ',
    '1::2::3',
    ':1',
    '1:2',
    'fe80::1%eth0',
    'g::',
  ])('rejects %j', (text) => {
    expect(isIp(text)).toBe(false);
  });

  it("throws with Go's messages", () => {
    expect(() => parseZonedIp('1.2.3')).toThrow('ParseAddr("1.2.3"): IPv4 address too short');
    expect(() => parseZonedIp('1::2::3')).toThrow('ParseAddr("1::2::3"): multiple :: in address (at ":3")');
    expect(parseZonedIp('fe80::1%eth0').zone).toBe('eth0');
  });

  it('classifies the special ranges of both families', () => {
    const ranges = [isUnspecified, isLoopback, isLinkLocalUnicast, isLinkLocalMulticast, isMulticast];
    const texts = ['0.0.0.0', '127.1.2.3', '169.254.1.1', '224.0.0.251', '239.1.1.1', '10.0.0.1'];
    const texts6 = ['::', '::1', 'febf::1', 'ff02::fb', 'ff05::1', '2001:db8::1'];
    const expected = ['10000', '01000', '00100', '00011', '00001', '00000'];
    const seen = (text: string): string => ranges.map((isIn) => Number(isIn(ip(text)))).join('');
    expect([texts.map(seen), texts6.map(seen)]).toEqual([expected, expected]);
  });

  it('round-trips addresses', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }), (value) => {
        expect(ip(formatIp({ family: 'IPv6', value }))).toEqual({ family: 'IPv6', value });
        const short = value >> 96n;
        expect(ip(formatIp({ family: 'IPv4', value: short }))).toEqual({ family: 'IPv4', value: short });
      }),
    );
  });
});

describe('CIDRs', () => {
  it.each([
    ['10.9.8.7/24', '10.9.8.0/24', '10.9.8.255'],
    ['10.9.8.7/32', '10.9.8.7/32', '10.9.8.7'],
    ['0.0.0.0/0', '0.0.0.0/0', '255.255.255.255'],
    ['2001:db8::1/64', '2001:db8::/64', '2001:db8::ffff:ffff:ffff:ffff'],
  ])('parses %s as %s that ends at %s', (text, masked, last) => {
    const cidr = parsePrefix(text);
    expect(tryParseCidr(text)).toEqual(cidr);
    expect(formatCidr(maskCidr(cidr))).toBe(masked);
    expect(formatIp({ family: cidr.address.family, value: rangeOf(cidr).last })).toBe(last);
  });

  it.each(['10.0.0.0', '10.0.0.0/', '10.0.0.0/33', '::/129', '10.0.0/8', 'fe80::%1/64', '10.0.0.0/a', '/8'])(
    'rejects %j',
    (text) => {
      expect(isCidr(text)).toBe(false);
      expect(() => parsePrefix(text)).toThrow(/ParseAddr|slash|range|zones|'\/'/);
    },
  );

  it('contains addresses of the same family and overlaps networks that share an address', () => {
    const network = parsePrefix('10.1.0.0/16');
    expect([cidrContains(network, ip('10.1.255.255')), cidrContains(network, ip('10.2.0.0'))]).toEqual([true, false]);
    expect(cidrContains(parsePrefix('::/0'), ip('10.1.0.1'))).toBe(false);
    const overlaps = ['10.1.2.0/24', '10.0.0.0/8', '10.2.0.0/16'].map((text) =>
      cidrsOverlap(network, parsePrefix(text)),
    );
    expect(overlaps).toEqual([true, true, false]);
  });
});
