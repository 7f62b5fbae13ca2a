import { atomicList, dateTime, enumeration, int64, object, optional, string } from '@slipway/kube/kit';
import { conditions, deprecatedFailure } from '../shared/conditions.js';
import { deletionProgress, nodeInfo } from '../shared/machine-status-parts.js';
import { nameReference } from '../shared/references.js';
import { machineInitialization } from '../shared/status-parts.js';

export const machineStatus = object(
  {
    addresses: optional(
      atomicList(
        object({
          address: string({ minLength: 1, maxLength: 256 }),
          type: enumeration(['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS']),
        }),
        { maxItems: 256 },
      ),
    ),
    certificatesExpiryDate: optional(dateTime()),
    conditions: optional(conditions),
    deletion: optional(deletionProgress),
    deprecated: optional(deprecatedFailure),
    failureDomain: optional(string({ minLength: 1, maxLength: 256 })),
    initialization: optional(machineInitialization),
    lastUpdated: optional(dateTime()),
    nodeInfo: optional(nodeInfo),
    nodeRef: optional(nameReference),
    observedGeneration: optional(int64({ minimum: 1 })),
    phase: optional(
      enumeration([
        'Pending',
        'Provisioning',
        'Provisioned',
        'Running',
        'Updating',
        'Deleting',
        'Deleted',
        'Failed',
        'Unknown',
      ]),
    ),
  },
  { description: 'What was last observed of the machine.', minProperties: 1 },
);
