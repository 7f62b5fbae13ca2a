import { expect, it } from 'vitest';
import { tableText } from './table.js';

const table = {
  columnDefinitions: [{ name: 'Name' }, { name: 'Phase' }, { name: 'Ready', priority: 1 }],
  rows: [
    { cells: ['demo', 'Provisioned', 3], object: { metadata: { namespace: 'team-a', name: 'demo' } } },
    { cells: ['edge', null, 'first\nsecond'], object: { metadata: { namespace: 'b', name: 'edge' } } },
  ],
};

it('prints the columns with priority 0, as kubectl does', () => {
  expect(tableText(table, { wide: false, withNamespace: false })).toBe('NAME   PHASE\ndemo   Provisioned\nedge\n');
});

it('prints all columns and the namespaces on request', () => {
  expect(tableText(table, { wide: true, withNamespace: true })).toBe(
    [
      'NAMESPACE   NAME   PHASE         READY\n',
      'team-a      demo   Provisioned   3\n',
      'b           edge                 first...\n',
    ].join(''),
  );
});

it('prefixes names where several types are listed', () => {
  const text = tableText(table, { wide: false, withNamespace: false, namePrefix: 'cluster.cluster.x-k8s.io/' });
  expect(text).toContain('\ncluster.cluster.x-k8s.io/demo   Provisioned\n');
});

it('prints nothing for a table without rows', () => {
  expect(tableText({ columnDefinitions: [{ name: 'Name' }] }, { wide: false, withNamespace: false })).toBe('');
});
