import { describe, expect, it } from 'vitest';
import { formatFieldError } from '../errors/index.js';
import type { ObjectMeta, OwnerReference } from '../meta/object-meta.js';
import {
  finalizerWarnings,
  type ObjectMetaRules,
  validateFieldManager,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from './validate-object-meta.js';

const owner: OwnerReference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u' };
const namespaced: ObjectMetaRules = { namespaced: true };
const base: ObjectMeta = { name: 'a', namespace: 'b' };

describe('validateObjectMeta', () => {
  const rows: { name: string; meta: ObjectMeta; rules?: ObjectMetaRules; errors: unknown[] }[] = [
    {
      name: 'accepts valid metadata',
      meta: { ...base, labels: { 'a/b': 'c' }, finalizers: ['x.y/z', 'orphan'], ownerReferences: [owner] },
      errors: [],
    },
    {
      name: 'requires a name',
      meta: { namespace: 'b' },
      errors: ['metadata.name: Required value: name or generateName is required'],
    },
    {
      name: 'validates name and generateName',
      meta: { ...base, generateName: 'AB-' },
      errors: [expect.stringMatching(/^metadata.generateName: Invalid value: "AB-": a lowercase RFC 1123 subdomain/)],
    },
    { name: 'requires a namespace', meta: { name: 'a' }, errors: ['metadata.namespace: Required value'] },
    {
      name: 'rejects a namespace on a cluster-scoped kind',
      meta: base,
      rules: { namespaced: false },
      errors: ['metadata.namespace: Forbidden: not allowed on this type'],
    },
    {
      name: 'rejects dots in namespaces',
      meta: { name: 'a', namespace: 'a.b' },
      errors: ['metadata.namespace: Invalid value: "a.b": must not contain dots'],
    },
    {
      name: 'rejects label values of more than 63 bytes',
      meta: { ...base, labels: { a: 'x'.repeat(64) } },
      errors: [`metadata.labels: Invalid value: "${'x'.repeat(64)}": must be no more than 63 bytes`],
    },
    { name: 'accepts upper case in annotation prefixes', meta: { ...base, annotations: { 'A.b/C': 'x' } }, errors: [] },
    {
      name: 'limits annotations',
      meta: { ...base, annotations: { a: 'x'.repeat(262144) } },
      errors: ['metadata.annotations: Too long: may not be more than 262144 bytes'],
    },
    {
      name: 'requires all fields of owner references',
      meta: { ...base, ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] },
      errors: [
        'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
        'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
        'metadata.ownerReferences.name: Invalid value: "": must not be empty',
        'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
      ],
    },
    {
      name: 'rejects a second controller owner',
      meta: {
        ...base,
        ownerReferences: [
          { ...owner, controller: true },
          { ...owner, name: 'b', controller: true },
        ],
      },
      errors: [
        expect.stringMatching(
          /Only one reference can have Controller set to true. Found "true" in references for ConfigMap\/a and ConfigMap\/b$/,
        ),
      ],
    },
    {
      name: 'rejects Events as owners',
      meta: { ...base, ownerReferences: [{ ...owner, kind: 'Event' }] },
      errors: [expect.stringMatching(/: \/v1, Kind=Event is disallowed from being an owner$/)],
    },
    {
      name: 'requires qualified finalizers',
      meta: { ...base, finalizers: ['foo'] },
      errors: [
        'metadata.finalizers[0]: Invalid value: "foo": name is neither a standard finalizer name nor is it fully qualified',
      ],
    },
    {
      name: 'accepts any finalizer name on custom resources',
      meta: { ...base, finalizers: ['foo'] },
      rules: { namespaced: true, custom: true },
      errors: [],
    },
    {
      name: 'rejects orphan together with foregroundDeletion',
      meta: { ...base, finalizers: ['orphan', 'foregroundDeletion'] },
      errors: [
        'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
      ],
    },
    {
      name: 'rejects a negative generation',
      meta: { ...base, generation: -1 },
      errors: ['metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
    },
    {
      name: 'checks managedFields',
      meta: { ...base, managedFields: [{ manager: 'm' }] },
      errors: ['metadata.managedFields[0].operation: Required value: must not be empty'],
    },
  ];
  it.each(rows)('$name', ({ meta, rules, errors }) => {
    expect(validateObjectMeta(meta, rules ?? namespaced).map(formatFieldError)).toEqual(errors);
  });
});

describe('validateObjectMetaUpdate', () => {
  const stored: ObjectMeta = {
    ...base,
    uid: 'u',
    resourceVersion: '7',
    generation: 2,
    creationTimestamp: '2026-01-01T00:00:00Z',
  };
  const deleting: ObjectMeta = { ...stored, deletionTimestamp: '2026-01-02T00:00:00Z', finalizers: ['x/a', 'x/b'] };
  const rows: { name: string; next: ObjectMeta; previous: ObjectMeta; errors: string[] }[] = [
    { name: 'accepts an update without changes', next: stored, previous: stored, errors: [] },
    {
      name: 'requires a resourceVersion',
      next: { ...stored, resourceVersion: '' },
      previous: stored,
      errors: ['metadata.resourceVersion: Invalid value: "": must be specified for an update'],
    },
    {
      name: 'rejects a changed name',
      next: { ...stored, name: 'z' },
      previous: stored,
      errors: ['metadata.name: Invalid value: "z": field is immutable'],
    },
    {
      name: 'rejects a changed uid',
      next: { ...stored, uid: 'z' },
      previous: stored,
      errors: ['metadata.uid: Invalid value: "z": field is immutable'],
    },
    {
      name: 'rejects a decremented generation',
      next: { ...stored, generation: 1 },
      previous: stored,
      errors: ['metadata.generation: Invalid value: 1: must not be decremented'],
    },
    {
      name: 'treats null like absent',
      next: { ...stored, deletionTimestamp: null },
      previous: stored,
      errors: [],
    },
    {
      name: 'rejects added finalizers and accepts removed ones on an object that is being deleted',
      next: { ...deleting, finalizers: ['x/b', 'x/d', 'x/c'] },
      previous: deleting,
      errors: [
        'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x/c", "x/d"}',
      ],
    },
    { name: 'accepts removed finalizers', next: { ...deleting, finalizers: [] }, previous: deleting, errors: [] },
  ];
  it.each(rows)('$name', ({ next, previous, errors }) => {
    expect(validateObjectMetaUpdate(next, previous).map(formatFieldError)).toEqual(errors);
  });
});

describe('finalizerWarnings', () => {
  it('recommends a domain and a path after it', () => {
    expect(finalizerWarnings(['foo', 'a.b', 'a.b/c', 'orphan'])).toEqual([
      'metadata.finalizers: "foo": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
      'metadata.finalizers: "a.b": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers',
    ]);
  });
});

describe('validateFieldManager', () => {
  it('requires printable names of at most 128 bytes', () => {
    expect(validateFieldManager('a\u0007', 'fieldManager').map(formatFieldError)).toEqual([
      'fieldManager: Invalid value: "a\\u0007": invalid character U+0007 (at position 1)',
    ]);
    expect(validateFieldManager('x'.repeat(129), 'fieldManager').map(formatFieldError)).toEqual([
      'fieldManager: Too long: may not be more than 128 bytes',
    ]);
  });
});
