import {
  checkRules,
  cloneJson,
  type CustomResourceDefinition,
  defaultCustomResourceDefinition,
  toCustomResourceDefinition,
  validateCustomResourceDefinition,
} from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { kvmKinds } from './index.js';

describe('CRDs', () => {
  it.each(kvmKinds.map((kind) => [kind.kind, kind] as const))('%s can be installed', (_, kind) => {
    const definition = cloneJson(toCustomResourceDefinition(kind)) as CustomResourceDefinition;
    defaultCustomResourceDefinition(definition);
    expect(validateCustomResourceDefinition(definition, { checkRules })).toEqual([]);
    expect(definition.metadata.labels).toEqual({
      'cluster.x-k8s.io/provider': 'infrastructure-kvm',
      'cluster.x-k8s.io/v1beta1': kind.kind === 'KVMCluster' ? 'v1beta1' : 'v1beta2',
      'cluster.x-k8s.io/v1beta2': 'v1beta2',
    });
    expect(definition.spec.names.categories).toEqual(['cluster-api', 'kvm', 'giantswarm']);
    for (const { subresources } of definition.spec.versions) expect(subresources?.status).toEqual({});
  });
});
