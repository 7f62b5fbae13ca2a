import type { KubeObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { createIn, rowOf, updateIn } from '../test-support.js';
import { configMaps } from './config-map.js';
import { namespaces } from './namespace.js';
import { nodes } from './node.js';
import { persistentVolumeClaims } from './persistent-volume-claim.js';
import { secrets } from './secret.js';

const keyText =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

describe('ConfigMap', () => {
  it.each([
    { name: 'accepts plain data', fields: { data: { a: '1' } }, errors: [] },
    {
      name: 'rejects invalid keys',
      fields: { data: { 'a b': '1' } },
      errors: [`data[a b]: Invalid value: "a b": ${keyText}`],
    },
    {
      name: 'rejects a key in both maps',
      fields: { data: { a: '1' }, binaryData: { a: 'AA==' } },
      errors: ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
    },
    {
      name: 'rejects data above one mebibyte',
      fields: { data: { a: 'x'.repeat(1_048_577) } },
      errors: [': Too long: may not be more than 1048576 bytes'],
    },
  ])('$name', async ({ fields, errors }) => {
    expect((await createIn(configMaps, fields)).errors).toEqual(errors);
  });

  it('rejects changes of the data and of the field if immutable is set', async () => {
    const { object } = await createIn(configMaps, { immutable: true, data: { a: '1' } });
    expect((await updateIn(configMaps, object, { data: { a: '2' }, immutable: false })).errors).toEqual([
      'immutable: Forbidden: field is immutable when `immutable` is set',
      'data: Forbidden: field is immutable when `immutable` is set',
    ]);
    expect((await updateIn(configMaps, object, {})).errors).toEqual([]);
  });

  it('prints the number of keys', () => {
    expect(rowOf(configMaps, { metadata: { name: 'a' }, data: { x: '', y: '' }, binaryData: { z: '' } })).toMatchObject(
      { Name: 'a', Data: 3 },
    );
  });
});

describe('Secret', () => {
  it('merges `stringData` into `data` and never returns it', async () => {
    const { object } = await createIn(secrets, { data: { a: 'eA==', b: 'eA==' }, stringData: { a: 'y' } });
    expect(object).toMatchObject({ type: 'Opaque', data: { a: 'eQ==', b: 'eA==' } });
    expect(object).not.toHaveProperty('stringData');
  });

  it.each([
    { type: 'kubernetes.io/tls', data: {}, errors: ['data[tls.crt]: Required value', 'data[tls.key]: Required value'] },
    { type: 'kubernetes.io/dockerconfigjson', data: {}, errors: ['data[.dockerconfigjson]: Required value'] },
    {
      type: 'kubernetes.io/dockerconfigjson',
      data: { '.dockerconfigjson': Buffer.from('oops').toString('base64') },
      errors: [
        `data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": invalid character 'o' looking for beginning of value`,
      ],
    },
    {
      type: 'kubernetes.io/basic-auth',
      data: {},
      errors: ['data[username]: Required value', 'data[password]: Required value'],
    },
    { type: 'kubernetes.io/basic-auth', data: { username: '' }, errors: [] },
    { type: 'kubernetes.io/ssh-auth', data: {}, errors: ['data[ssh-privatekey]: Required value'] },
    {
      type: 'kubernetes.io/service-account-token',
      data: {},
      errors: ['metadata.annotations[kubernetes.io/service-account.name]: Required value'],
    },
    { type: 'cluster.x-k8s.io/secret', data: { value: '' }, errors: [] },
  ])('validates type $type with $data', async ({ type, data, errors }) => {
    expect((await createIn(secrets, { type, data })).errors).toEqual(errors);
  });

  it('rejects changes of the type', async () => {
    const { object } = await createIn(secrets, {});
    expect((await updateIn(secrets, object, { type: 'a/b' })).errors).toEqual([
      'type: Invalid value: "a/b": field is immutable',
    ]);
  });

  it('accepts keys that are members of Object.prototype', async () => {
    const { object } = await createIn(secrets, JSON.parse('{"stringData":{"__proto__":"x"}}') as object);
    expect(Object.keys(object.data as object)).toEqual(['__proto__']);
  });
});

describe('Namespace', () => {
  it('sets the label kubernetes.io/metadata.name, and restores it after an edit', async () => {
    const { object } = await createIn(namespaces, { status: { phase: 'Nonsense' } });
    expect(object).toMatchObject({
      metadata: { labels: { 'kubernetes.io/metadata.name': 'x' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
    const changed = await updateIn(namespaces, object, { metadata: { name: 'x', labels: { a: 'b' } }, spec: {} });
    expect(changed.object).toMatchObject({
      metadata: { labels: { a: 'b', 'kubernetes.io/metadata.name': 'x' } },
      spec: { finalizers: ['kubernetes'] },
    });
  });

  it('removes its finalizer only through /finalize', async () => {
    const { object } = await createIn(namespaces, {});
    const { strategy } = namespaces;
    expect(strategy.holdsDeletion?.(object)).toBe(true);
    const finalized = await updateIn(namespaces, object, { spec: {} }, 'finalize');
    expect(strategy.holdsDeletion?.(finalized.object)).toBe(false);
  });

  it('becomes Terminating without changing the stored object', async () => {
    const { object } = await createIn(namespaces, {});
    const marked: KubeObject = { ...object };
    Object.freeze(marked.status);
    namespaces.strategy.beginDeletion?.(marked);
    expect([marked.status, object.status]).toEqual([{ phase: 'Terminating' }, { phase: 'Active' }]);
  });
});

describe('Node', () => {
  it('keeps the status on create', async () => {
    const { object } = await createIn(nodes, { status: { capacity: { cpu: '4' } } });
    expect(object.status).toMatchObject({ capacity: { cpu: '4' }, allocatable: { cpu: '4' } });
  });

  it.each([
    {
      name: 'rejects changes of podCIDR once set',
      old: { spec: { podCIDR: '10.0.0.0/24' } },
      fields: { spec: { podCIDR: '10.0.1.0/24' } },
      errors: ['spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid'],
    },
    {
      name: 'rejects changes of providerID once set',
      old: { spec: { providerID: 'a' } },
      fields: { spec: { providerID: 'b' } },
      errors: ['spec.providerID: Forbidden: node updates may not change providerID except from "" to valid'],
    },
    {
      name: 'rejects duplicate taints and unknown effects',
      old: {},
      fields: {
        spec: {
          taints: [
            { key: 'a', effect: 'NoSchedule' },
            { key: 'a', effect: 'NoSchedule' },
            { key: 'b', effect: 'No' },
          ],
        },
      },
      errors: [
        'metadata.taints[1]: Duplicate value: {"Key":"a","Value":"","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair',
        'metadata.taints[2].effect: Unsupported value: "No": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      ],
    },
  ])('$name', async ({ old, fields, errors }) => {
    const { object } = await createIn(nodes, old);
    expect((await updateIn(nodes, object, fields)).errors).toEqual(errors);
  });

  it('prints status, roles and version', () => {
    const node = {
      metadata: {
        name: 'n',
        creationTimestamp: '2024-01-02T03:00:00Z',
        labels: { 'node-role.kubernetes.io/control-plane': '' },
      },
      spec: { unschedulable: true },
      status: { conditions: [{ type: 'Ready', status: 'True' }], nodeInfo: { kubeletVersion: 'v1.36.3' } },
    };
    expect(rowOf(nodes, node)).toMatchObject({
      Status: 'Ready,SchedulingDisabled',
      Roles: 'control-plane',
      Age: '4m5s',
      Version: 'v1.36.3',
      'Internal-IP': '<none>',
    });
  });
});

describe('PersistentVolumeClaim', () => {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

  it('requires access modes and a storage request', async () => {
    expect((await createIn(persistentVolumeClaims, { spec: {} })).errors).toEqual([
      'spec.accessModes: Required value: at least 1 access mode is required',
      'spec.resources[storage]: Required value',
    ]);
  });

  it('rejects changes after creation, except that a bound claim may be expanded', async () => {
    const { object } = await createIn(persistentVolumeClaims, { spec });
    const changed = await updateIn(persistentVolumeClaims, object, {
      spec: { ...spec, accessModes: ['ReadWriteMany'] },
    });
    expect(changed.errors).toEqual([
      'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n',
    ]);
    const bound = { ...object, status: { phase: 'Bound', capacity: { storage: '1Gi' } } };
    const grown = await updateIn(persistentVolumeClaims, bound, {
      spec: { ...spec, resources: { requests: { storage: '2Gi' } } },
    });
    expect(grown.errors).toEqual([]);
  });
});
