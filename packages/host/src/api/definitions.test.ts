import {
  checkRules,
  cloneJson,
  type CustomResourceDefinition,
  defaultCustomResourceDefinition,
  toCustomResourceDefinition,
  validateCustomResourceDefinition,
} from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { hostKinds } from './index.js';

describe('CRDs', () => {
  it.each(hostKinds.map((kind) => [kind.kind, kind] as const))('%s can be installed', (_, kind) => {
    const definition = cloneJson(toCustomResourceDefinition(kind)) as CustomResourceDefinition;
    defaultCustomResourceDefinition(definition);
    expect(validateCustomResourceDefinition(definition, { checkRules })).toEqual([]);
    expect(definition.metadata.labels).toEqual({ 'cluster.x-k8s.io/v1beta2': 'v1beta2' });
  });
});
