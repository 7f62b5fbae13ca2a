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

  it('refuses what no label can hold', () => {
    expect(() => hostLabelValue('-esx')).toThrow('the host name "-esx" cannot be a label');
  });
});
