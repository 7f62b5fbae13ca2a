import { describe, expect, it } from 'vitest';
import type { FleetRow } from './fleet.js';
import { arrange, choiceDefault, countFilters, type FleetChoice } from './fleet-list.js';

const row = (name: string, parts: Partial<FleetRow> = {}): FleetRow => ({
  namespace: 'default',
  name,
  version: 'v1.35.0',
  running: '',
  upgrade: '',
  infrastructure: 'Dev',
  clusterClass: '',
  controlPlane: [1, 1],
  workers: [1, 1],
  state: 'available',
  paused: false,
  blocked: false,
  reason: '',
  message: '',
  createdAt: 0,
  ...parts,
});

const fleet = [
  row('demo-10', { createdAt: 10 }),
  row('demo-9', { createdAt: 20, upgrade: 'v1.36.0' }),
  row('stuck', {
    state: 'unavailable',
    message: 'Machine stuck-x: no address',
    version: 'v1.34.2',
    running: 'v1.33.9',
  }),
  row('young', { state: 'coming', namespace: 'team', paused: true, infrastructure: 'VSphere', createdAt: 30 }),
];

const names = (choice: Partial<FleetChoice>): string[] =>
  arrange(fleet, { ...choiceDefault, ...choice }).map((item) =>
    item.kind === 'row' ? item.row.name : `${item.title} (${item.count})`,
  );

describe('the list of the fleet', () => {
  it.each<{ name: string; choice: Partial<FleetChoice>; then: string[] }>([
    { name: 'puts what needs a person first', choice: {}, then: ['stuck', 'young', 'demo-9', 'demo-10'] },
    {
      name: 'sorts numbers in names as numbers',
      choice: { sort: 'name' },
      then: ['demo-9', 'demo-10', 'stuck', 'young'],
    },
    {
      name: 'sorts by age, the youngest first',
      choice: { sort: 'createdAt', search: 'e' },
      then: ['young', 'demo-9', 'demo-10', 'stuck'],
    },
    {
      name: 'turns the order around',
      choice: { sort: 'name', descending: true },
      then: ['young', 'stuck', 'demo-10', 'demo-9'],
    },
    { name: 'searches all words in all that is shown', choice: { search: 'STUCK address' }, then: ['stuck'] },
    { name: 'finds a namespace', choice: { search: 'team/' }, then: ['young'] },
    { name: 'finds nothing', choice: { search: 'nothing' }, then: [] },
    { name: 'filters by state', choice: { filter: 'coming' }, then: ['young'] },
    { name: 'filters by what can be upgraded', choice: { filter: 'upgrade' }, then: ['demo-9'] },
    { name: 'filters by what is paused', choice: { filter: 'paused' }, then: ['young'] },
    {
      name: 'groups, with a heading for each',
      choice: { group: 'version', sort: 'name' },
      then: ['v1.34.2 (1)', 'stuck', 'v1.35.0 (3)', 'demo-9', 'demo-10', 'young'],
    },
    {
      name: 'names the group of those without',
      choice: { group: 'clusterClass', filter: 'paused' },
      then: ['Without a ClusterClass (1)', 'young'],
    },
    {
      name: 'groups by state, what needs a person first',
      choice: { group: 'state', sort: 'name' },
      then: ['Not available (1)', 'stuck', 'In progress (1)', 'young', 'Available (2)', 'demo-9', 'demo-10'],
    },
    { name: 'finds what a cluster still runs', choice: { search: 'v1.33' }, then: ['stuck'] },
  ])('$name', ({ choice, then }) => {
    expect(names(choice)).toEqual(then);
  });

  it('counts what each filter would leave of what was searched', () => {
    expect(countFilters(fleet, 'e')).toMatchObject({ all: 4, available: 2, coming: 1, unavailable: 1, upgrade: 1 });
    expect(countFilters(fleet, 'young')).toMatchObject({ all: 1, available: 0, paused: 1 });
  });
});
