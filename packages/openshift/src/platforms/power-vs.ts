import { objectAt, textAt } from '@slipway/cluster-api';
import type { JsonObject } from '@slipway/kube';
import { powerVsCredentials } from './credentials.js';
import { machineSpec, type Platform, PlatformError, type PlatformFacts } from './platform.js';

export const powerVs: Platform = {
  type: 'PowerVS',
  provider: 'ibmcloud',
  gateSuffix: 'PowerVS',
  kindPrefix: 'IBMPowerVS',
  version: 'v1beta1',
  needsProviderSpec: true,
  credentials: powerVsCredentials,
  infraCluster: (facts) => ({
    isManagedByUs: true,
    spec: {
      controlPlaneEndpoint: { ...facts.endpoint },
      serviceInstance: reference(facts, 'serviceInstance'),
      network: reference(facts, 'network'),
    },
  }),
};

const fields: Readonly<Record<string, readonly [given: string, desired: string]>> = {
  ID: ['id', 'id'],
  Name: ['name', 'name'],
  RegEx: ['regex', 'regex'],
};

function reference({ providerSpec }: PlatformFacts, field: string): JsonObject {
  const spec = machineSpec({ providerSpec });
  const type = textAt(spec, 'spec', field, 'type') ?? '';
  const [given, desired] = fields[type] ?? [];
  if (given === undefined || desired === undefined)
    throw new PlatformError(
      'InvalidConfiguration',
      `${field}.type of the control plane machines is ${JSON.stringify(type)}`,
      'use ID, Name or RegEx',
    );
  return { [desired]: objectAt(spec, 'spec', field)?.[given] ?? '' };
}
