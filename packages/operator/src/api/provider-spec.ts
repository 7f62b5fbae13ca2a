import { conditions as conditionMap, labelSelector } from '@slipway/cluster-api/schemas';
import type { Schema } from '@slipway/kube';
import { custom, type Infer, int64, list, map, object, optional, string } from '@slipway/kube/kit';
import { deploymentSpec } from './deployment-spec.js';
import { managerSpec } from './manager-spec.js';

/** Another object; in the namespace of the provider unless it says otherwise. */
const reference = object({ name: string(), namespace: optional(string()) });

const patch = object({
  patch: optional(string({ description: 'A list is a JSON patch (RFC 6902), a mapping a merge patch (RFC 7396).' })),
  target: optional(
    object(
      {
        group: optional(string()),
        kind: optional(string()),
        labelSelector: optional(string()),
        name: optional(string()),
        namespace: optional(string()),
        version: optional(string()),
      },
      { description: 'All that is given must fit. Absent: every object.' },
    ),
  ),
});

export const providerSpec = object(
  {
    additionalDeployments: optional(
      map(object({ deployment: optional(deploymentSpec), manager: optional(managerSpec) }), {
        description: 'Changes to further Deployments, by their names.',
      }),
    ),
    additionalManifests: optional(reference),
    configSecret: optional(reference),
    deployment: optional(deploymentSpec),
    fetchConfig: optional(
      object(
        { oci: optional(string()), selector: optional(labelSelector), url: optional(string()) },
        {
          description: 'Where the manifests come from: exactly one of the three.',
          rules: [
            {
              rule: '[has(self.oci), has(self.url), has(self.selector)].exists_one(x,x)',
              message: 'Must specify one and only one of {oci, url, selector}',
            },
          ],
        },
      ),
    ),
    manager: optional(managerSpec),
    manifestPatches: optional(list(string(), { description: 'Merge patches that name their object themselves.' })),
    patches: optional(list(patch)),
    version: optional(string({ description: 'Absent: the newest there is, which is then written here.' })),
  },
  {
    rules: [
      {
        rule: '!(has(self.manifestPatches) && has(self.patches))',
        message: 'Only one of patches or manifestPatches can be specified',
      },
    ],
  },
);

type Condition = Infer<typeof conditionMap>[number];

/** The conditions of Cluster API, but upstream declares this list of theirs without keys. */
const conditions = list(custom<Condition>(conditionMap.schema.items as Schema));

export const providerStatus = object({
  conditions: optional(conditions),
  contract: optional(string({ description: 'The version of the contract with the core that is fulfilled.' })),
  installedVersion: optional(string()),
  observedGeneration: optional(int64()),
});

export type ProviderSpec = Infer<typeof providerSpec>;
export type PatchSpec = NonNullable<ProviderSpec['patches']>[number];
