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

describe('the fleet list', () => {
  it.each<{ name: string; choice: Partial<FleetChoice>; then: string[] }>([
    { name: 'lists clusters that need attention first', choice: {}, then: ['stuck', 'young', 'demo-9', 'demo-10'] },
    {
      name: 'sorts numbers in names as numbers',
      choice: { sort: 'name' },
      then: ['demo-9', 'demo-10', 'stuck', 'young'],
    },
    {
      name: 'sorts by age, newest first',
      choice: { sort: 'createdAt', search: 'e' },
      then: ['young', 'demo-9', 'demo-10', 'stuck'],
    },
    {
      name: 'reverses the order',
      choice: { sort: 'name', descending: true },
      then: ['young', 'stuck', 'demo-10', 'demo-9'],
    },
    {
      name: 'finds clusters whose columns contain all search terms',
      choice: { search: 'STUCK address' },
      then: ['stuck'],
    },
    { name: 'searches namespaces', choice: { search: 'team/' }, then: ['young'] },
    { name: 'returns no rows if nothing matches', choice: { search: 'nothing' }, then: [] },
    { name: 'filters by state', choice: { filter: 'coming' }, then: ['young'] },
    { name: 'filters clusters with an available upgrade', choice: { filter: 'upgrade' }, then: ['demo-9'] },
    { name: 'filters paused clusters', choice: { filter: 'paused' }, then: ['young'] },
    {
      name: 'adds a heading to each group',
      choice: { group: 'version', sort: 'name' },
      then: ['v1.34.2 (1)', 'stuck', 'v1.35.0 (3)', 'demo-9', 'demo-10', 'young'],
    },
    {
      name: 'adds a group for clusters without a value',
      choice: { group: 'clusterClass', filter: 'paused' },
      then: ['Without a ClusterClass (1)', 'young'],
    },
    {
      name: 'groups by state, states that need attention first',
      choice: { group: 'state', sort: 'name' },
      then: ['Not available (1)', 'stuck', 'In progress (1)', 'young', 'Available (2)', 'demo-9', 'demo-10'],
    },
    { name: 'searches the running version during an upgrade', choice: { search: 'v1.33' }, then: ['stuck'] },
  ])('$name', ({ choice, then }) => {
    expect(names(choice)).toEqual(then);
  });

  it('counts the matches of each filter among the search results', () => {
    expect(countFilters(fleet, 'e')).toMatchObject({ all: 4, available: 2, coming: 1, unavailable: 1, upgrade: 1 });
    expect(countFilters(fleet, 'young')).toMatchObject({ all: 1, available: 0, paused: 1 });
  });
});
