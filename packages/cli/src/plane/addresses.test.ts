import { expect, it } from 'vitest';
import { endpointOf, hostsOf } from './addresses.js';

it.each([
  ['127.0.0.1', 'https://127.0.0.1:6443'],
  ['0.0.0.0', 'https://127.0.0.1:6443'],
  ['::', 'https://[::1]:6443'],
  ['[::1]', 'https://[::1]:6443'],
  ['plane.example', 'https://plane.example:6443'],
])('a server on %s is reached at %s', (bind, endpoint) => {
  expect(endpointOf(bind, 6443)).toBe(endpoint);
});

it('a certificate covers the bind address, or all addresses of the host for a wildcard', () => {
  expect(hostsOf('[::1]')).toEqual(['::1']);
  expect(hostsOf('0.0.0.0')).toContain('127.0.0.1');
  expect(hostsOf('::').some((host) => host.startsWith('fe80:'))).toBe(false);
});
