import { canonicalJson, type KubeObject } from '@slipway/kube';
import { checkNewOldNew, checkOldNewOld, type RoundTripOptions } from '@slipway/testing/kinds';
import { describe, expect, it } from 'vitest';
import { kubeadmConversions } from './index.js';

const kubeadmConfigSpec = [
  'clusterConfiguration.apiVersion',
  'clusterConfiguration.clusterName',
  'clusterConfiguration.kind',
  'clusterConfiguration.kubernetesVersion',
  'clusterConfiguration.networking',
  'initConfiguration.apiVersion',
  'initConfiguration.kind',
  'joinConfiguration.apiVersion',
  'joinConfiguration.kind',
  'useExperimentalRetryJoin',
];
const lostAt = (prefix: string) => ({ lost: kubeadmConfigSpec.map((path) => `${prefix}.${path}`) });

// Sets `ready` from the number of ready replicas, as the conversion does: it is not stored.
function settleReady(object: KubeObject): KubeObject {
  const status = object['status'] as { readyReplicas?: number } | undefined;
  return status === undefined ? object : { ...object, status: { ...status, ready: (status.readyReplicas ?? 0) > 0 } };
}

const options: Readonly<Record<string, RoundTripOptions>> = {
  KubeadmConfig: lostAt('spec'),
  KubeadmConfigTemplate: lostAt('spec.template.spec'),
  KubeadmControlPlane: { ...lostAt('spec.kubeadmConfigSpec'), settle: settleReady },
  KubeadmControlPlaneTemplate: lostAt('spec.template.spec.kubeadmConfigSpec'),
};

// Compare as text: keys such as `constructor` confuse object comparison.
const equal = (actual: unknown, expected: unknown) => expect(canonicalJson(actual)).toBe(canonicalJson(expected));

describe.each(kubeadmConversions.map((conversion) => [conversion.kind.kind, conversion.version, conversion] as const))(
  '%s %s',
  (kind, _version, conversion) => {
    it('converts from the old version and back without loss', () => {
      expect(() => checkNewOldNew(conversion, equal, options[kind])).not.toThrow();
    });

    it('converts from the storage version and back without loss', () => {
      expect(() => checkOldNewOld(conversion, equal, options[kind])).not.toThrow();
    });
  },
);
