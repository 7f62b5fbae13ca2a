import { VirtualClock } from '@slipway/base';
import * as clusterApi from '@slipway/cluster-api';
import { providerConformance } from '@slipway/provider-kit/conformance';
import { startTestPlane } from '@slipway/testing/plane';
import { describe, expect, it } from 'vitest';
import {
  createKVMControllers,
  GivenEndpoint,
  kvmAdmission,
  kvmClusters,
  kvmConversions,
  kvmKinds,
  kvmMachines,
} from '../src/index.js';
import { FakeService } from './support/fake-service.js';

const admissions = [...clusterApi.clusterApiAdmission, ...kvmAdmission];

describe('provider conformance of QEMU virtual machines', () => {
  let service: FakeService;
  const cases = providerConformance({
    start() {
      service = new FakeService();
      const parts = { services: [service], endpoints: [new GivenEndpoint()] };
      return startTestPlane({
        clock: new VirtualClock(),
        sets: [clusterApi.clusterApiControllers, createKVMControllers(() => parts)],
        kinds: (find, client) => ({
          name: 'kvm',
          kinds: [...clusterApi.clusterApiKinds, ...kvmKinds],
          converters: clusterApi.createConverters(
            [...clusterApi.clusterApiConversions, ...kvmConversions],
            clusterApi.contractVersionsFrom(find),
          ),
          rules: clusterApi.bindAdmission(admissions, clusterApi.featureGateDefaults, client),
        }),
      });
    },
    clusterResource: kvmClusters,
    machineResource: kvmMachines,
    clusterSpec: {
      controlPlaneEndpoint: { host: '10.0.0.1', port: 6443 },
      controlPlaneExposure: { type: 'External' },
    },
    externalMachines: () => [...service.machines.keys()],
  });
  it.each(cases)('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
