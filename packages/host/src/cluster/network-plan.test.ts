import { describe, expect, it } from 'vitest';
import { overlap } from '../linux/index.js';
import { chooseNetwork, planNetwork } from './network-plan.js';

describe('a network of machines', () => {
  it.each([
    {
      cidr: '10.231.0.0/24',
      prefix: 24,
      gateway: '10.231.0.1',
      endpoint: '10.231.0.2',
      machines: '10.231.0.3-10.231.0.254',
    },
    {
      cidr: '192.168.255.240/28',
      prefix: 28,
      gateway: '192.168.255.241',
      endpoint: '192.168.255.242',
      machines: '192.168.255.243-192.168.255.254',
    },
    {
      cidr: '172.16.0.0/16',
      prefix: 16,
      gateway: '172.16.0.1',
      endpoint: '172.16.0.2',
      machines: '172.16.0.3-172.16.255.254',
    },
  ])('divides $cidr', (plan) => {
    expect(planNetwork(plan.cidr)).toEqual(plan);
  });

  it('chooses the first free network', () => {
    const taken = ['10.231.0.0/24', '10.231.1.128/25', '10.231.2.0/23'];
    expect(chooseNetwork((cidr) => !taken.some((other) => overlap(cidr, other)))).toBe('10.231.4.0/24');
    expect(chooseNetwork(() => false)).toBeUndefined();
  });
});
