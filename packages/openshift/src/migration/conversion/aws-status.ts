import type { JsonObject } from '@slipway/kube';
import { compact, isSet, recordOf, textOf } from './conversion.js';
import type { ConversionFacts, InfraMachine, MapiInstance, ReportedMetadata } from './provider.js';
import { addressList, reportedMetadata } from './reported.js';

export function awsStatusToCapi({ providerStatus, addresses, value }: MapiInstance): JsonObject {
  const instanceState = textOf(providerStatus['instanceState']);
  const host = textOf(recordOf(providerStatus['dedicatedHost'])['id']);
  return compact({
    ready: instanceState === 'running',
    instanceState,
    interruptible: isSet(value['spotMarketOptions']) || value['marketType'] === 'Spot' ? true : undefined,
    addresses: addressList(addresses),
    dedicatedHost: host === undefined ? undefined : { id: host },
  });
}

export function awsStatusToMapi(spec: JsonObject, status: JsonObject): JsonObject {
  const host = textOf(recordOf(status['dedicatedHost'])['id']);
  return compact({
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'AWSMachineProviderStatus',
    instanceId: textOf(spec['instanceID']),
    instanceState: textOf(status['instanceState']),
    dedicatedHost: host === undefined ? undefined : { id: host },
  });
}

export function awsReported(
  spec: JsonObject,
  status: JsonObject,
  { failureDomain }: InfraMachine,
  { region }: ConversionFacts,
): ReportedMetadata {
  return reportedMetadata({
    type: textOf(spec['instanceType']),
    region,
    zone: failureDomain,
    state: textOf(status['instanceState']),
  });
}
