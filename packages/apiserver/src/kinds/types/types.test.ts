import { deepFreeze, type KubeObject, StatusError } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import data from '../data/types.json' with { type: 'json' };
import {
  completeTyped,
  decodeTyped,
  emptyStructs,
  messageNames,
  messageOfKind,
  messageType,
  schemaOf,
} from './index.js';

describe('table of built-in types', () => {
  it('has well-formed rows only', () => {
    const rows = Object.values(data.messages as Record<string, unknown[][]>).flat();
    const wrong = rows.filter(
      ([name, number, type, flags]) =>
        typeof name !== 'string' ||
        typeof number !== 'number' ||
        typeof type !== 'string' ||
        !/^[ipor]*$/.test(String(flags)),
    );
    expect(wrong).toEqual([]);
  });

  it('refers to types that exist', () => {
    const names = new Set(messageNames());
    const missing = [...names].flatMap((name) =>
      messageType(name)
        .fields.filter(({ type }) => type.includes('.') && !names.has(type))
        .map(({ type }) => type),
    );
    expect(missing).toEqual([]);
  });

  it.each([
    ['', 'v1', 'Pod', 'k8s.io.api.core.v1.Pod'],
    ['apps', 'v1', 'Deployment', 'k8s.io.api.apps.v1.Deployment'],
    ['rbac.authorization.k8s.io', 'v1', 'Role', 'k8s.io.api.rbac.v1.Role'],
    ['apps', 'v1', 'DeleteOptions', 'k8s.io.apimachinery.pkg.apis.meta.v1.DeleteOptions'],
    ['example.com', 'v1', 'Widget', undefined],
  ])('finds the type of %s/%s %s', (group, version, kind, message) => {
    expect(messageOfKind(group, version, kind)).toBe(message);
  });
});

describe('schemas of built-in types', () => {
  const container = schemaOf('k8s.io.api.core.v1.Container').properties;
  const spec = schemaOf('k8s.io.api.core.v1.PodSpec').properties;

  it('contain list types, map keys and patch strategies', () => {
    expect(spec?.containers).toMatchObject({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
    });
    expect(container?.ports).toMatchObject({
      'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
      'x-kubernetes-patch-merge-key': 'containerPort',
    });
    expect(spec?.tolerations).toMatchObject({ 'x-kubernetes-list-type': 'atomic' });
    expect(schemaOf('k8s.io.api.core.v1.ContainerPort').properties?.protocol).toMatchObject({ default: 'TCP' });
  });

  it('flatten inlined messages and name shared types', () => {
    expect(schemaOf('k8s.io.api.core.v1.Volume').properties).toHaveProperty('emptyDir');
    expect(schemaOf('k8s.io.api.core.v1.Probe').properties).toHaveProperty('httpGet');
    expect(schemaOf('k8s.io.api.apps.v1.Deployment').refName).toBe('io.k8s.api.apps.v1.Deployment');
    expect(schemaOf('k8s.io.apimachinery.pkg.apis.meta.v1.LabelSelector')).toMatchObject({
      'x-kubernetes-map-type': 'atomic',
    });
  });

  it('may be recursive', () => {
    const props = schemaOf('k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
    expect(props.properties?.not?.properties?.not?.properties?.type).toEqual({ type: 'string' });
    expect(props.properties?.['x-kubernetes-list-map-keys']).toMatchObject({ type: 'array' });
  });

  it('contain apiVersion and kind', () => {
    expect(Object.keys(schemaOf('k8s.io.api.core.v1.ConfigMap').properties ?? {})).toEqual([
      'apiVersion',
      'kind',
      'metadata',
      'immutable',
      'data',
      'binaryData',
    ]);
  });

  it('list the structs that every object has', () => {
    expect(emptyStructs('k8s.io.api.apps.v1.Deployment')).toEqual({
      metadata: {},
      spec: { strategy: {}, template: { metadata: {}, spec: { containers: null } } },
      status: {},
    });
  });
});

describe('fields that JSON always contains', () => {
  it.each([
    {
      name: 'adds structs and zero values that are not omitted',
      message: 'k8s.io.api.core.v1.Node',
      given: { metadata: {}, status: { nodeInfo: { osImage: 'Linux' } } },
      then: {
        spec: {},
        status: { daemonEndpoints: { kubeletEndpoint: { Port: 0 } }, nodeInfo: { osImage: 'Linux', machineID: '' } },
      },
    },
    {
      name: 'adds times that are not pointers, also in lists',
      message: 'k8s.io.api.apps.v1.Deployment',
      given: { metadata: {}, status: { conditions: [{ type: 'Available', status: 'True' }] } },
      then: { status: { conditions: [{ type: 'Available', lastUpdateTime: null, lastTransitionTime: null }] } },
    },
    {
      name: 'adds lists that are not omitted, as null',
      message: 'k8s.io.api.rbac.v1.Role',
      given: { metadata: {} },
      then: { rules: null },
    },
  ])('$name', ({ message, given, then }) => {
    completeTyped(message, given);
    expect(given).toMatchObject(then);
  });

  it('does not change frozen parts', () => {
    const template = deepFreeze({ spec: {} });
    const object = { metadata: {}, spec: { template } };
    completeTyped('k8s.io.api.apps.v1.Deployment', object);
    expect(object.spec.template).toBe(template);
  });
});

describe('typed decoding', () => {
  function decode(message: string, fields: object): KubeObject {
    const object = { apiVersion: 'v1', kind: message.slice(message.lastIndexOf('.') + 1), metadata: {}, ...fields };
    decodeTyped(message, object);
    return object;
  }

  function refusal(message: string, fields: object): string {
    try {
      decode(message, fields);
    } catch (error) {
      if (error instanceof StatusError) return `${error.code} ${error.message}`;
      throw error;
    }
    return 'accepted';
  }

  const pod = 'k8s.io.api.core.v1.Pod';
  it.each([
    {
      name: 'drops nulls and empty optional values',
      given: { spec: { nodeSelector: {}, hostname: '', hostNetwork: false, containers: null } },
      then: {},
    },
    {
      name: 'keeps the zero value of a pointer',
      given: { spec: { terminationGracePeriodSeconds: 0, automountServiceAccountToken: false } },
      then: { terminationGracePeriodSeconds: 0, automountServiceAccountToken: false },
    },
    {
      name: 'keeps an explicit empty struct',
      given: { spec: { securityContext: {} } },
      then: { securityContext: {} },
    },
    {
      name: 'canonicalises quantities',
      given: { spec: { overhead: { cpu: 0.5, memory: '1024Mi', pods: 1000 } } },
      then: { overhead: { cpu: '500m', memory: '1Gi', pods: '1k' } },
    },
    { name: 'keeps unknown fields', given: { spec: { nonsense: null } }, then: { nonsense: null } },
  ])('$name', ({ given, then }) => {
    expect(decode(pod, given).spec).toEqual(then);
  });

  it('keeps six digits of MicroTime and no fraction of Time', () => {
    const event = decode('k8s.io.api.core.v1.Event', {
      lastTimestamp: '2024-01-02T04:04:05.9+01:00',
      eventTime: '2024-01-02T03:04:05.000006Z',
    });
    expect(event).toMatchObject({ lastTimestamp: '2024-01-02T03:04:05Z', eventTime: '2024-01-02T03:04:05.000006Z' });
  });

  it.each([
    [
      { spec: { containers: 'c' } },
      'json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type []v1.Container',
    ],
    [
      { spec: { containers: [{ name: 5 }] } },
      'json: cannot unmarshal number into Go struct field Container.spec.containers.name of type string',
    ],
    [
      { spec: { hostNetwork: 'yes' } },
      'json: cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type bool',
    ],
    [
      { spec: { priority: 1.5 } },
      'json: cannot unmarshal number 1.5 into Go struct field PodSpec.spec.priority of type int32',
    ],
    [
      { metadata: { labels: { a: true } } },
      'json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [
      { spec: { overhead: { cpu: 'lots' } } },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
  ])('rejects %j', (fields, why) => {
    expect(refusal(pod, fields)).toBe(`400 Pod in version "v1" cannot be handled as a Pod: ${why}`);
  });

  it('rejects data that is not base64', () => {
    expect(refusal('k8s.io.api.core.v1.Secret', { data: { a: 'no base64!' } })).toBe(
      '400 Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 2',
    );
  });
});
