import {
  boolean,
  dateTime,
  defineKind,
  enumeration,
  list,
  object,
  optional,
  refine,
  string,
  type ObjectOf,
} from '@slipway/kube/kit';
import {
  conditions,
  contractLabels,
  deprecatedFailure,
  objectReference,
  v1beta1Conditions,
  v1beta2Conditions,
} from '@slipway/cluster-api/schemas';
import { text, texts } from '../shared/limits.js';
import { failureMessageDescription, failureReasonDescription } from '../shared/status-parts.js';
import { withDescriptions } from '../shared/with-descriptions.js';
import { cloneModes, cloneSpec, cloneSpecV1Beta1, powerOff, powerOffV1Beta1 } from './clone-spec.js';
import { networkStatus, networkStatusV1Beta1 } from './network.js';

const description =
  'A virtual machine in a vCenter. Controllers create it for a VSphereMachine or a HAProxyLoadBalancer; users do not.';
const specDescription =
  'Desired state of the virtual machine. Only bootstrapRef, thumbprint, powerOffMode, the power-off timeout and network.devices can be changed; os and biosUUID can be set once.';
const statusDescription = 'Observed state of the virtual machine.';

const specDescriptions = {
  biosUUID:
    'BIOS UUID of the virtual machine in vCenter. Written by the controller once the virtual machine exists. If vCenter then has no virtual machine with this UUID, an error is reported and no new one is created.',
  bootstrapRef: 'Secret with the bootstrap data of the guest, in the namespace of this object.',
} as const;

const statusDescriptions = {
  addresses: 'IP addresses that the guest reports, in the order of the network devices.',
  cloneMode: 'How the template was cloned: fullClone or linkedClone.',
  host: 'Name of the ESXi host that the virtual machine runs on.',
  moduleUUID: 'ID of the cluster module that the virtual machine is a member of.',
  ready: 'True once the virtual machine was powered on and reported an IP address. Never set back to false.',
  retryAfter: 'When the controller tries again after a failed vCenter task.',
  snapshot: 'Managed object ID of the snapshot that the linked clone was created from.',
  taskRef: 'Managed object ID of the vCenter task that is in progress for the virtual machine, such as task-123.',
  vmRef: 'Reference to the virtual machine in vCenter, such as VirtualMachine:vm-42.',
} as const;

export const vsphereVm = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'VSphereVM',
  plural: 'vspherevms',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: contractLabels,
  versions: [
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      description,
      schema: {
        spec: optional(
          object(
            {
              ...cloneSpecV1Beta1,
              ...powerOffV1Beta1,
              ...withDescriptions(
                { biosUUID: optional(string()), bootstrapRef: optional(objectReference) },
                specDescriptions,
              ),
            },
            { description: specDescription },
          ),
        ),
        status: optional(
          object(
            {
              ...withDescriptions(
                {
                  addresses: optional(list(string())),
                  cloneMode: optional(string()),
                  host: optional(string()),
                  moduleUUID: optional(string()),
                  ready: optional(boolean()),
                  retryAfter: optional(dateTime()),
                  snapshot: optional(string()),
                  taskRef: optional(string()),
                  vmRef: optional(string()),
                },
                statusDescriptions,
              ),
              conditions: optional(v1beta1Conditions),
              failureMessage: optional(string({ description: failureMessageDescription })),
              failureReason: optional(string({ description: failureReasonDescription })),
              network: optional(networkStatusV1Beta1),
              v1beta2: optional(v1beta2Conditions),
            },
            { description: statusDescription },
          ),
        ),
      },
      subresources: { status: true },
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description,
      schema: {
        spec: object(
          {
            ...cloneSpec,
            ...powerOff,
            ...withDescriptions(
              {
                biosUUID: optional(text(1024)),
                bootstrapRef: optional(object({ name: text(253, 'Name of the Secret.') })),
              },
              specDescriptions,
            ),
          },
          { description: specDescription },
        ),
        status: optional(
          object(
            {
              ...withDescriptions(
                {
                  addresses: optional(texts(128, 39)),
                  cloneMode: optional(enumeration(cloneModes)),
                  host: optional(text(1024)),
                  moduleUUID: optional(string({ maxLength: 2048 })),
                  ready: optional(boolean()),
                  retryAfter: optional(dateTime()),
                  snapshot: optional(text(1024)),
                  taskRef: optional(text(2048)),
                  vmRef: optional(text(2048)),
                },
                statusDescriptions,
              ),
              conditions: optional(
                refine(conditions, {
                  description:
                    'Current state of the virtual machine. Types: Ready, VCenterAvailable, VirtualMachineProvisioned, IPAddressClaimsFulfilled, GuestSoftPowerOffSucceeded, PCIDevicesDetached and Paused.',
                }),
              ),
              deprecated: optional(deprecatedFailure),
              network: optional(networkStatus),
            },
            { minProperties: 1, description: statusDescription },
          ),
        ),
      },
      subresources: { status: true },
    },
  ],
});

export type VSphereVm = ObjectOf<typeof vsphereVm>;
