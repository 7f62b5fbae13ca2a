import type { Kind } from '@slipway/kube';
import { boolean, defineKind, freeObject, list, object, optional, string } from '@slipway/kube/kit';
import { infrastructureGroup, type Platform, platformKinds } from '@slipway/openshift';

const spec = optional(
  freeObject({ description: 'Desired state, with the fields of the real provider. All fields are preserved.' }),
);

const address = object({
  type: string({ description: 'Type of the address, such as InternalIP or Hostname.' }),
  address: string({ description: 'IP address or name.' }),
});

/**
 * Returns the kinds of the simulated provider of a platform. They preserve unknown fields, so that objects keep every field of
 * the real provider.
 */
export function simulatedKinds(platform: Platform): readonly Kind[] {
  const { cluster, machine, template } = platformKinds(platform);
  const kinds = [simulator(platform, cluster), simulator(platform, machine), simulator(platform, template)];
  return platform.type === 'Azure' ? [...kinds, simulator(platform, 'AzureClusterIdentity')] : kinds;
}

function simulator({ version }: Platform, kind: string): Kind {
  return defineKind({
    group: infrastructureGroup,
    kind,
    plural: kind.endsWith('y') ? `${kind.slice(0, -1).toLowerCase()}ies` : `${kind.toLowerCase()}s`,
    scope: 'Namespaced',
    labels: { 'cluster.x-k8s.io/v1beta1': version },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        description: `${kind} of a simulated provider. Unknown fields are preserved.`,
        subresources: { status: true },
        schema: {
          spec,
          status: optional(
            object(
              {
                ready: optional(boolean({ description: 'Whether the simulated infrastructure is provisioned.' })),
                addresses: optional(list(address, { description: 'Addresses of the simulated machine.' })),
              },
              { preserveUnknownFields: true, description: 'Observed state, as the simulated provider reports it.' },
            ),
          ),
        },
      },
    ],
  });
}
