import { VirtualClock } from '@slipway/base';
import * as clusterApi from '@slipway/cluster-api';
import { providerConformance } from '@slipway/provider-kit/conformance';
import { startTestPlane } from '@slipway/testing/plane';
import { describe, expect, it } from 'vitest';
import { createHostControllers, hostAdmission, hostKinds } from '../src/index.js';
import { hostClusters, hostMachines } from '../src/api/index.js';
import { FakeEngine } from './fake-engine.js';

describe('provider conformance of machines on this host', () => {
  let engine: FakeEngine;
  const cases = providerConformance({
    start() {
      engine = new FakeEngine();
      engine.prepared.add('v1.34.0');
      return startTestPlane({
        clock: new VirtualClock(),
        sets: [clusterApi.clusterApiControllers, createHostControllers(engine)],
        kinds: (find) => ({
          name: 'host',
          kinds: [...clusterApi.clusterApiKinds, ...hostKinds],
          converters: clusterApi.createConverters(
            clusterApi.clusterApiConversions,
            clusterApi.contractVersionsFrom(find),
          ),
          rules: clusterApi.bindAdmission(
            [...clusterApi.clusterApiAdmission, ...hostAdmission],
            clusterApi.featureGateDefaults,
          ),
        }),
      });
    },
    clusterResource: hostClusters,
    machineResource: hostMachines,
    externalMachines: () => [...engine.machines.keys()],
  });
  it.each(cases)('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
