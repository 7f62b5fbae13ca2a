import { describe, expect, it } from 'vitest';
import { hostLabelValue } from './host-label.js';

describe('hostLabelValue', () => {
  it.each([
    ['esx-1.example.com', 'esx-1.example.com'],
    ['10.0.0.1', '10.0.0.1'],
    ['fe80::1%eth0', 'fe80--1.ipv6-literal'],
    [`${'a'.repeat(40)}.${'b'.repeat(20)}.${'c'.repeat(20)}`, `${'a'.repeat(40)}.${'b'.repeat(20)}`],
    ['d'.repeat(70), 'd'.repeat(63)],
  ])('%s becomes %s', (host, label) => {
    expect(hostLabelValue(host)).toBe(label);
  });

  it('rejects a name that is not a valid label value', () => {
    expect(() => hostLabelValue('-esx')).toThrow('host name "-esx" is not a valid label value');
  });
});
