import { describe, expect, it } from 'vitest';
import { overlappingRoute } from './routes.js';

const rows: { name: string; routes: unknown; then: string | undefined }[] = [
  { name: 'the default route', routes: [{ dst: 'default', dev: 'eth0' }], then: undefined },
  { name: 'another network', routes: [{ dst: '10.230.0.0/16', dev: 'eth0' }], then: undefined },
  { name: "the network's own route", routes: [{ dst: '10.231.0.0/24', dev: 'slw1' }], then: undefined },
  { name: 'a route that contains it', routes: [{ dst: '10.0.0.0/8', dev: 'tun0' }], then: '10.0.0.0/8 dev tun0' },
  { name: 'a route inside it', routes: [{ dst: '10.231.0.64/26', dev: 'br0' }], then: '10.231.0.64/26 dev br0' },
  {
    name: 'a route to a single address in it',
    routes: [{ dst: '10.231.0.7', dev: 'eth0' }],
    then: '10.231.0.7 dev eth0',
  },
  { name: 'output that is not a list', routes: {}, then: undefined },
];

describe('a conflicting route', () => {
  it.each(rows)('$name', ({ routes, then }) => {
    expect(overlappingRoute(routes, '10.231.0.0/24', 'slw1')).toBe(then);
  });
});
