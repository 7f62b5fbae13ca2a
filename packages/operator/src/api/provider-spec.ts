import { conditions as conditionMap, labelSelector } from '@slipway/cluster-api/schemas';
import type { Schema } from '@slipway/kube';
import { custom, type Infer, int64, list, map, object, optional, refine, string } from '@slipway/kube/kit';
import { deploymentSpec } from './deployment-spec.js';
import { managerSpec } from './manager-spec.js';

const configSecret = object(
  {
    name: string({ description: 'Name of the Secret.' }),
    namespace: optional(string({ description: 'Namespace of the Secret. Defaults to the namespace of the provider.' })),
  },
  {
    description:
      'Secret whose keys are the variables of the manifests and the credentials for fetching them, such as github-token. A change of the Secret renders the components again.',
  },
);

const additionalManifests = object(
  {
    name: string({ description: 'Name of the ConfigMap.' }),
    namespace: optional(
      string({ description: 'Namespace of the ConfigMap. Defaults to the namespace of the provider.' }),
    ),
  },
  {
    description:
      'ConfigMap whose key manifests has YAML documents that are installed together with the provider. A change of the ConfigMap is applied.',
  },
);

const patchTarget = object(
  {
    group: optional(string({ description: 'API group of the objects. Empty matches every group.' })),
    kind: optional(string({ description: 'Kind of the objects. Empty matches every kind.' })),
    labelSelector: optional(
      string({ description: 'Label selector of the objects, such as app=x,tier!=y. Empty matches all labels.' }),
    ),
    name: optional(string({ description: 'Name of the object. Empty matches every name.' })),
    namespace: optional(string({ description: 'Namespace of the objects. Empty matches every namespace.' })),
    version: optional(
      string({ description: 'API version of the objects without group. Empty matches every version.' }),
    ),
  },
  {
    description: 'Objects to patch: all given fields must match. If not set, every object of the provider is patched.',
  },
);

const patch = object({
  patch: optional(
    string({
      description:
        'Patch as YAML or JSON: a list is a JSON patch (RFC 6902), a mapping is a merge patch (RFC 7396), which replaces lists as a whole.',
    }),
  ),
  target: optional(patchTarget),
});

const fetchConfig = object(
  {
    oci: optional(
      string({
        description:
          'OCI artifact as [http://]host[:port]/repository[:tag]. Without a tag, spec.version is used as the tag. Credentials come from configSecret.',
      }),
    ),
    selector: optional(
      refine(labelSelector, {
        description:
          'Selects ConfigMaps in the namespace of the provider that hold releases: keys metadata and components, and the version in label provider.cluster.x-k8s.io/version.',
      }),
    ),
    url: optional(
      string({
        description:
          'URL of the components file: releases of GitHub, generic packages of GitLab, or a web server with <label>/<version>/<file>. Only https.',
      }),
    ),
  },
  {
    description:
      'Source of the manifests. Set exactly one of oci, selector and url. If not set, the name must be that of a predefined provider.',
    rules: [
      {
        rule: '[has(self.oci), has(self.url), has(self.selector)].exists_one(x,x)',
        message: 'Must specify one and only one of {oci, url, selector}',
      },
    ],
  },
);

const additionalDeployment = object({
  deployment: optional(
    refine(deploymentSpec, { description: 'Customizations of this Deployment. A change applies them again.' }),
  ),
  manager: optional(
    refine(managerSpec, {
      description:
        'Arguments of the container named manager, or of the first container, of this Deployment. They take precedence over those of deployment.',
    }),
  ),
});

export const providerSpec = object(
  {
    additionalDeployments: optional(
      map(additionalDeployment, {
        description:
          'Customizations of further Deployments of the provider, by Deployment name. Deployments named ca*-controller-manager are customized by the fields deployment and manager instead.',
      }),
    ),
    additionalManifests: optional(additionalManifests),
    configSecret: optional(configSecret),
    deployment: optional(deploymentSpec),
    fetchConfig: optional(fetchConfig),
    manager: optional(managerSpec),
    manifestPatches: optional(
      list(string(), {
        description:
          'Merge patches (RFC 7396) as YAML. Each patches the objects that match its kind and, if given, its apiVersion, name and namespace. Cannot be combined with patches.',
      }),
    ),
    patches: optional(
      list(patch, {
        description:
          'Patches of the objects of the provider, applied in order after all other customizations except image overrides. Cannot be combined with manifestPatches.',
      }),
    ),
    version: optional(
      string({
        description:
          'Version of the provider, such as v1.2.3. If not set, the operator sets the latest version. A higher version upgrades the provider; a lower minor version is rejected.',
      }),
    ),
  },
  {
    description: 'Desired state of the provider. A change renders the components again and applies them.',
    rules: [
      {
        rule: '!(has(self.manifestPatches) && has(self.patches))',
        message: 'Only one of patches or manifestPatches can be specified',
      },
    ],
  },
);

type Condition = Infer<typeof conditionMap>[number];

/** Conditions in the form of Cluster API. The list has no map keys, because upstream declares none. */
const conditions = list(custom<Condition>(conditionMap.schema.items as Schema), {
  description:
    'Conditions of the provider. Types are PreflightCheckPassed, ProviderInstalled, ProviderUpgraded and Ready.',
});

export const providerStatus = object(
  {
    conditions: optional(conditions),
    contract: optional(
      string({ description: 'Cluster API contract version that the installed provider implements, such as v1beta2.' }),
    ),
    installedVersion: optional(string({ description: 'Version of the provider that is installed.' })),
    observedGeneration: optional(
      int64({ description: 'Value of metadata.generation that was last reconciled without an error.' }),
    ),
  },
  { description: 'Observed state of the provider.' },
);

export type ProviderSpec = Infer<typeof providerSpec>;
export type PatchSpec = NonNullable<ProviderSpec['patches']>[number];
