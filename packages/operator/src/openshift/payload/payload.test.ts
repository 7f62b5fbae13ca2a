import { describe, expect, it } from 'vitest';
import { credentialsRequests, operatorRules, payloadObjects } from './manifests.js';

describe('what the release ships', () => {
  it('R34: gives no right to change or delete definitions', () => {
    const verbs = operatorRules
      .filter(({ resources }) => resources.includes('customresourcedefinitions'))
      .flatMap((rule) => rule.verbs);
    expect(verbs).toEqual(['get', 'list', 'watch', 'create']);
    expect(operatorRules.some(({ apiGroups }) => apiGroups.includes('*'))).toBe(false);
  });

  it('R39: lets the operator look at machines of Machine API, and not touch them', () => {
    const verbs = operatorRules
      .filter(({ apiGroups }) => apiGroups.includes('machine.openshift.io'))
      .flatMap((rule) => rule.verbs);
    expect(verbs).toEqual(['get', 'list', 'watch']);
  });

  it('R31: asks for credentials on every platform that has any', () => {
    expect(credentialsRequests().map(({ metadata }) => metadata.name)).toEqual(
      ['aws', 'azure', 'gcp', 'openstack', 'vsphere', 'powervs', 'nutanix'].map(
        (name) => `openshift-cluster-api-${name}`,
      ),
    );
  });

  it('R20: is installed with the preview only', () => {
    for (const { metadata } of payloadObjects())
      expect(metadata.annotations?.['release.openshift.io/feature-set']).toContain('TechPreviewNoUpgrade');
  });
});
