import { describe, expect, it } from 'vitest';
import { templatesToDelete, type TemplateUser } from './templates-in-use.js';

const user = (bootstrap: string | undefined, infrastructure: string, deleted = false): TemplateUser => ({
  metadata: { name: 'x', ...(deleted && { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
  spec: {
    template: {
      spec: {
        bootstrap: bootstrap === undefined ? {} : { configRef: { apiGroup: 'b', kind: 'BTemplate', name: bootstrap } },
        infrastructureRef: { apiGroup: 'i', kind: 'ITemplate', name: infrastructure },
      },
    },
  },
});
const gone = user('b1', 'i1', true);

describe('templatesToDelete', () => {
  const rows = [
    { name: 'no other object exists', others: [], then: ['b1', 'i1'] },
    { name: 'one of them is used by another object', others: [user('b1', 'i2')], then: ['i1'] },
    { name: 'all of them are used by other objects', others: [user('b1', 'i2'), user('b2', 'i1')], then: [] },
    { name: 'the other users are being deleted', others: [user('b1', 'i1', true)], then: ['b1', 'i1'] },
  ];
  it.each(rows)('$name', ({ others, then }) => {
    expect(templatesToDelete(gone, others).map(({ name }) => name)).toEqual(then);
  });

  it('ignores objects that are not templates', () => {
    const direct = user(undefined, 'i1');
    const kept = { ...direct.spec.template.spec, infrastructureRef: { apiGroup: 'i', kind: 'Machine', name: 'i1' } };
    expect(templatesToDelete({ ...direct, spec: { template: { spec: kept } } }, [])).toEqual([]);
  });
});
