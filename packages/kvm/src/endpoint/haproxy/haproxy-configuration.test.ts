import { describe, expect, it } from 'vitest';
import { type BalancerSpec, configurationDigest, haproxyConfiguration } from './haproxy-configuration.js';

const one = { name: 'cp-1', host: '172.30.0.11', port: 6443, isDraining: false };
const two = { name: 'cp-2', host: 'fd00::12', port: 6443, isDraining: false };
const spec: BalancerSpec = { id: 'c', bind: { host: '127.0.0.1', port: 6443 }, servers: [two, one] };

describe('the configuration of HAProxy', () => {
  it('names the servers by machine in a stable order, and checks the readiness of each', () => {
    const text = haproxyConfiguration(spec, '/run/s.sock');
    expect(text.slice(text.indexOf('frontend api'))).toBe(`frontend api
  bind 127.0.0.1:6443
  default_backend cp
backend cp
  balance roundrobin
  option httpchk GET /readyz
  http-check expect status 200,401
  default-server check check-ssl verify none inter 2s fall 3 rise 2 on-marked-down shutdown-sessions
  server cp-1 172.30.0.11:6443 weight 1
  server cp-2 [fd00::12]:6443 weight 1
`);
  });

  it('allows watches to be idle for at least ten minutes', () => {
    expect(haproxyConfiguration(spec, '/run/s.sock')).toMatch(/timeout client 1h\n\s+timeout server 1h/);
  });

  it.each([
    { name: 'another order', change: { servers: [one, two] }, same: true },
    { name: 'a draining server', change: { servers: [{ ...one, isDraining: true }, two] }, same: true },
    { name: 'a removed server', change: { servers: [one] }, same: false },
    { name: 'another address', change: { servers: [{ ...one, host: '172.30.0.13' }, two] }, same: false },
    { name: 'another port', change: { bind: { host: '127.0.0.1', port: 6444 } }, same: false },
  ])('$name: the process is reloaded unless it is the same ($same)', ({ change, same }) => {
    expect(configurationDigest({ ...spec, ...change }) === configurationDigest(spec)).toBe(same);
  });

  it('sets the weight of a draining server to 0, so that a reload does not restore it', () => {
    const servers = [{ ...one, isDraining: true }];
    expect(haproxyConfiguration({ ...spec, servers }, '/run/s.sock')).toContain(
      'server cp-1 172.30.0.11:6443 weight 0',
    );
  });

  it.each(['10.0.0.1\n  user root', 'a b', ''])('rejects the address %j', (host) => {
    expect(() => haproxyConfiguration({ ...spec, bind: { host, port: 1 } }, '/run/s.sock')).toThrow(/invalid address/);
  });
});
