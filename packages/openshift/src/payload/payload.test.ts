import { describe, expect, it } from 'vitest';
import type { PolicyRule } from '@slipway/runtime';
import { simulatedAssets } from '@slipway/simulators';
import { credentialsRequests, payloadObjects } from './manifests.js';
import { type AccessRules, operatorRules } from './operator-rules.js';

const allRules = ({ cluster, namespaced }: AccessRules): readonly PolicyRule[] => [
  ...cluster,
  ...Object.values(namespaced).flat(),
];
const verbsOn = (rules: AccessRules, resource: string): readonly string[] =>
  allRules(rules)
    .filter(({ resources = [] }) => resources.includes(resource))
    .flatMap(({ verbs }) => verbs);

describe('payloadObjects', () => {
  it('permits no creation, change or deletion of CRDs [R34]', () => {
    expect(verbsOn(operatorRules(), 'customresourcedefinitions')).toEqual(['get', 'list', 'watch']);
    expect(allRules(operatorRules()).some(({ apiGroups = [] }) => apiGroups.includes('*'))).toBe(false);
  });

  it('permits the operator to read, but not to write Machine API machines [R39]', () => {
    const rules = allRules(operatorRules()).filter(({ apiGroups = [] }) => apiGroups.includes('machine.openshift.io'));
    expect(rules.flatMap(({ verbs }) => verbs)).toEqual(['get', 'list', 'watch']);
  });

  it('requests credentials on every platform that has any [R31]', () => {
    expect(credentialsRequests().map(({ metadata }) => metadata.name)).toEqual(
      ['aws', 'azure', 'gcp', 'openstack', 'vsphere', 'powervs', 'nutanix'].map(
        (name) => `openshift-cluster-api-${name}`,
      ),
    );
  });

  it('is installed with the tech preview only [R20]', () => {
    for (const { metadata } of payloadObjects(simulatedAssets()))
      expect(metadata.annotations?.['release.openshift.io/feature-set']).toContain('TechPreviewNoUpgrade');
  });
});
