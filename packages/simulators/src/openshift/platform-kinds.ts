import type { Kind } from '@slipway/kube';
import { boolean, defineKind, freeObject, list, object, optional, string } from '@slipway/kube/kit';
import { infrastructureGroup, type Platform, platformKinds } from '@slipway/openshift';

const spec = optional(freeObject());

/** What the stand-in provider of a platform is asked by. The fields of real providers are kept, whatever they are. */
export function standInKinds(platform: Platform): readonly Kind[] {
  const { cluster, machine, template } = platformKinds(platform);
  const kinds = [standIn(platform, cluster), standIn(platform, machine), standIn(platform, template)];
  return platform.type === 'Azure' ? [...kinds, standIn(platform, 'AzureClusterIdentity')] : kinds;
}

function standIn({ version }: Platform, kind: string): Kind {
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
        description: 'Of a stand-in provider: fields are kept as they are given.',
        subresources: { status: true },
        schema: {
          spec,
          status: optional(
            object(
              {
                ready: optional(boolean()),
                addresses: optional(list(object({ type: string(), address: string() }))),
              },
              { preserveUnknownFields: true },
            ),
          ),
        },
      },
    ],
  });
}
