import { describe, expect, it } from 'vitest';
import { clusterFixture, controlPlaneMachineFixture as machine } from '../testing/control-plane-objects.js';
import { viewOf, type ViewOptions } from '../testing/control-plane-view.js';
import { domainForNewMachine, oldestInFullestDomain } from './failure-domains.js';

const cluster = clusterFixture({
  status: {
    failureDomains: [
      { name: 'c', controlPlane: true },
      { name: 'a', controlPlane: true },
      { name: 'b', controlPlane: true },
      { name: 'workers', controlPlane: false },
      { name: 'unsaid' },
    ],
  },
});
const inDomains = (domains: readonly string[], options: ViewOptions = {}) =>
  viewOf(
    domains.map((failureDomain, index) =>
      machine(`m${index}`, { failureDomain, created: `2026-01-0${index + 1}T00:00:00Z` }),
    ),
    { cluster, ...options },
  );

describe('the failure domain of a new machine', () => {
  it.each([
    { name: 'is the first by name if all are empty', domains: [], outdated: [], then: 'a' },
    { name: 'is the one with the fewest machines', domains: ['a', 'b'], outdated: [], then: 'c' },
    {
      name: 'is chosen by up-to-date machines, regardless of the totals [14.36]',
      domains: ['a', 'a', 'b', 'c'],
      outdated: ['m0', 'm1'],
      then: 'a',
    },
    {
      name: 'is chosen by the totals among equals [14.36]',
      domains: ['a', 'a', 'b', 'c'],
      outdated: ['m0', 'm1', 'm2', 'm3'],
      then: 'b',
    },
  ])('$name', ({ domains, outdated, then }) => {
    expect(domainForNewMachine(inDomains(domains, { outdated }))).toBe(then);
  });

  it('is not set without failure domains', () => {
    expect(domainForNewMachine(viewOf([]))).toBeUndefined();
  });
});

describe('the machine to delete', () => {
  it.each([
    { name: 'is the oldest of the domain with the most machines', domains: ['a', 'b', 'b'], then: 'm1' },
    { name: 'is one in a domain that no longer exists', domains: ['a', 'gone', 'b', 'b'], then: 'm1' },
    {
      name: 'is the one in the first domain by name if all have the same number',
      domains: ['a', 'b', 'c'],
      then: 'm0',
    },
  ])('$name', ({ domains, then }) => {
    const view = inDomains(domains);
    expect(oldestInFullestDomain(view, view.machines)?.machine.metadata.name).toBe(then);
  });
});
