import { atomicList, dateTime, enumeration, int64, object, optional, refine, string } from '@slipway/kube/kit';
import { conditions, deprecatedFailure } from '../shared/conditions.js';
import { deletionProgress, nodeInfo } from '../shared/machine-status-parts.js';
import { nameReference } from '../shared/references.js';
import { machineInitialization } from '../shared/status-parts.js';
import { machineTexts } from '../texts/machines.js';

export const machineStatus = object(
  {
    addresses: optional(
      atomicList(
        object({
          address: string({ minLength: 1, maxLength: 256, description: 'address is the IP address or host name.' }),
          type: enumeration(['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS'], {
            description:
              'type is the kind of the address: a host name, a DNS name or an IP address, reachable from inside or from outside.',
          }),
        }),
        { maxItems: 256, description: machineTexts.addresses },
      ),
    ),
    certificatesExpiryDate: optional(dateTime({ description: machineTexts.certificatesExpiryDate })),
    conditions: optional(conditions),
    deletion: optional(deletionProgress),
    deprecated: optional(deprecatedFailure),
    failureDomain: optional(
      string({
        minLength: 1,
        maxLength: 256,
        description: 'failureDomain is the failure domain in which the infrastructure provider placed the Machine.',
      }),
    ),
    initialization: optional(
      refine(machineInitialization, {
        description:
          'initialization records which steps of the first provisioning of the Machine are complete. Its fields never change back to false.',
      }),
    ),
    lastUpdated: optional(dateTime({ description: machineTexts.lastUpdated })),
    nodeInfo: optional(nodeInfo),
    nodeRef: optional(refine(nameReference, { description: machineTexts.nodeRef })),
    observedGeneration: optional(int64({ minimum: 1, description: machineTexts.observedGeneration })),
    phase: optional(
      enumeration(
        ['Pending', 'Provisioning', 'Provisioned', 'Running', 'Updating', 'Deleting', 'Deleted', 'Failed', 'Unknown'],
        {
          description: machineTexts.machineStatusPhase,
        },
      ),
    ),
  },
  { description: machineTexts.machineStatus, minProperties: 1 },
);
