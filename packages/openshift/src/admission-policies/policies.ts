import type { KubeObject } from '@slipway/kube';
import { infrastructureGroup, namespaces } from '../names.js';
import { infraClusterKind, type Platform } from '../platforms/index.js';
import { type PolicyDeclaration, policyObjects, type Validation } from './policy.js';

const mapiGroup = 'machine.openshift.io';
const capiGroup = 'cluster.x-k8s.io';
const { clusterApi: capiNamespace, machineApi: mapiNamespace } = namespaces;

const capiTwin = (kind: string) => ({ apiVersion: `${capiGroup}/v1beta2`, kind, namespace: capiNamespace });
const mapiTwin = (kind: string) => ({ apiVersion: `${mapiGroup}/v1beta1`, kind, namespace: mapiNamespace });

/** CEL expression that selects labels of the two APIs, which cannot be changed on the non-authoritative resource. */
const isProtectedLabel =
  "k.startsWith('machine.openshift.io') || k.startsWith('kubernetes.io') || k.contains('cluster.x-k8s.io/')";
const isProtectedAnnotation =
  "k.startsWith('machine.openshift.io') || k.contains('cluster.x-k8s.io') || k.contains('clusters.x-k8s.io')";

const mapVariables = {
  newLabels: 'has(object.metadata.labels) ? object.metadata.labels : {}',
  oldLabels: 'has(oldObject.metadata.labels) ? oldObject.metadata.labels : {}',
  twinLabels: 'has(params.metadata.labels) ? params.metadata.labels : {}',
  newAnnotations: 'has(object.metadata.annotations) ? object.metadata.annotations : {}',
  oldAnnotations: 'has(oldObject.metadata.annotations) ? oldObject.metadata.annotations : {}',
};

function frozenKeys(kind: 'Labels' | 'Annotations', isProtected: string): string {
  const same = (left: string, right: string): string =>
    `variables.${left}${kind}.all(k, !(${isProtected}) || (k in variables.${right}${kind} && variables.${right}${kind}[k] == variables.${left}${kind}[k]))`;
  return `${same('new', 'old')} && ${same('old', 'new')}`;
}

const mirrorRules: readonly Validation[] = [
  {
    expression: frozenKeys('Labels', isProtectedLabel),
    message: 'Cannot change protected labels of the non-authoritative resource',
  },
  {
    expression: frozenKeys('Annotations', isProtectedAnnotation),
    message: 'Cannot change protected annotations of the non-authoritative resource',
  },
  {
    expression:
      'variables.newLabels.all(k, !(k in variables.twinLabels) || (k in variables.oldLabels && variables.oldLabels[k] == variables.newLabels[k]) || variables.newLabels[k] == variables.twinLabels[k])',
    message: 'A label of the authoritative resource can only be set to the same value',
  },
];

/** Returns a CEL expression that is true if all given fields of a spec, except authoritativeAPI, are unchanged. */
function frozenSpec(fields: readonly string[]): string {
  return fields
    .map(
      (field) =>
        `(has(object.spec.${field}) ? dyn(object.spec.${field}) : dyn(null)) == (has(oldObject.spec.${field}) ? dyn(oldObject.spec.${field}) : dyn(null))`,
    )
    .join(' && ');
}

const capiDecides =
  "has(object.status) && has(object.status.authoritativeAPI) && object.status.authoritativeAPI == 'ClusterAPI'";
const mapiTwinDecides =
  "has(params.status) && has(params.status.authoritativeAPI) && params.status.authoritativeAPI == 'MachineAPI'";
const changesAuthority =
  'has(oldObject.spec.authoritativeAPI) && object.spec.authoritativeAPI != oldObject.spec.authoritativeAPI';

function mapiMirror(name: string, resource: string, kind: string, fields: readonly string[]): PolicyDeclaration {
  return {
    name,
    namespace: mapiNamespace,
    rule: { groups: [mapiGroup], resources: [resource], operations: ['UPDATE'] },
    twin: capiTwin(kind),
    isForUsers: true,
    conditions: { 'cluster-api-decides': capiDecides },
    variables: mapVariables,
    validations: [
      {
        expression: frozenSpec(fields),
        message: 'Cannot modify fields except for authoritativeAPI when status.authoritativeAPI is ClusterAPI',
      },
      ...mirrorRules,
    ],
  };
}

function capiMirror(name: string, resource: string, kind: string): PolicyDeclaration {
  const [specRule, ...rest] = [
    {
      expression: 'object.spec == oldObject.spec',
      message: 'Cannot change spec of a Cluster API resource when the Machine API resource is authoritative',
    },
    ...mirrorRules,
  ];
  return {
    name,
    namespace: capiNamespace,
    rule: { groups: [capiGroup], resources: [resource], operations: ['UPDATE'] },
    twin: mapiTwin(kind),
    isForUsers: true,
    variables: mapVariables,
    validations: [specRule, ...rest]
      .filter((rule) => rule !== undefined)
      .map(({ expression, message }) => ({ expression: `!(${mapiTwinDecides}) || (${expression})`, message })),
  };
}

function capiCreation(name: string, resource: string, kind: string): PolicyDeclaration {
  const isPaused = "has(object.metadata.annotations) && 'cluster.x-k8s.io/paused' in object.metadata.annotations";
  const twinPaused =
    "has(params.status.conditions) && params.status.conditions.exists(c, c.type == 'Paused' && c.status == 'True')";
  return {
    name,
    namespace: capiNamespace,
    rule: { groups: [capiGroup], resources: [resource], operations: ['CREATE'] },
    twin: mapiTwin(kind),
    isForUsers: true,
    validations: [
      {
        expression: `!(${mapiTwinDecides}) || (${isPaused})`,
        message: `in order to create a Cluster API ${kind} with an authoritative Machine API counterpart, it must be paused`,
      },
      {
        expression: `!(has(params.status) && has(params.status.authoritativeAPI) && params.status.authoritativeAPI == 'ClusterAPI') || (${twinPaused})`,
        message: `the Machine API ${kind} must be paused first: wait for its Paused condition`,
      },
    ],
  };
}

const machineFields = ['lifecycleHooks', 'metadata', 'providerID', 'providerSpec', 'taints'];
const machineSetFields = ['replicas', 'minReadySeconds', 'deletePolicy', 'selector', 'template'];
const unsupportedFields = ['version', 'readinessGates'];

/** Policies that prevent conflicting changes in the two APIs. They are installed only with machine migration enabled. */
const migrationPolicies: readonly PolicyDeclaration[] = [
  mapiMirror('machine-api-machine-vap', 'machines', 'Machine', machineFields),
  mapiMirror('machine-api-machine-set-vap', 'machinesets', 'MachineSet', machineSetFields),
  capiMirror('cluster-api-machine-vap', 'machines', 'Machine'),
  capiMirror('cluster-api-machine-set-vap', 'machinesets', 'MachineSet'),
  {
    name: 'openshift-cluster-api-prevent-setting-of-capi-fields-unsupported-by-mapi',
    namespace: capiNamespace,
    rule: { groups: [capiGroup], resources: ['machines', 'machinesets'], operations: ['CREATE', 'UPDATE'] },
    variables: {
      machineSpec: "request.resource.resource == 'machines' ? dyn(object.spec) : dyn(object.spec.template.spec)",
    },
    validations: unsupportedFields.map((field) => ({
      expression: `!has(variables.machineSpec.${field})`,
      message: `spec.${field} is forbidden: Machine API has no such field`,
    })),
  },
  {
    name: 'openshift-only-create-mapi-machine-if-authoritative-api-capi',
    namespace: mapiNamespace,
    rule: { groups: [mapiGroup], resources: ['machines'], operations: ['CREATE'] },
    twin: capiTwin('Machine'),
    validations: [
      {
        expression: "has(object.spec.authoritativeAPI) && object.spec.authoritativeAPI == 'ClusterAPI'",
        message: 'spec.authoritativeAPI must be ClusterAPI: a Cluster API Machine of that name exists',
      },
    ],
  },
  {
    name: 'openshift-prevent-authoritative-mapi-machineset-create-when-capi-exists',
    namespace: mapiNamespace,
    rule: { groups: [mapiGroup], resources: ['machinesets'], operations: ['CREATE'] },
    twin: capiTwin('MachineSet'),
    validations: [
      {
        expression: "has(object.spec.authoritativeAPI) && object.spec.authoritativeAPI == 'ClusterAPI'",
        message: 'spec.authoritativeAPI must be ClusterAPI: a Cluster API MachineSet of that name exists',
      },
    ],
  },
  capiCreation('openshift-validate-capi-machine-creation', 'machines', 'Machine'),
  capiCreation('openshift-validate-capi-machine-set-creation', 'machinesets', 'MachineSet'),
  {
    name: 'openshift-prevent-migration-when-machine-updating',
    namespace: mapiNamespace,
    rule: { groups: [mapiGroup], resources: ['machines'], operations: ['UPDATE'] },
    conditions: { 'changes-authority': changesAuthority },
    validations: [
      {
        expression: "!has(object.status) || !has(object.status.phase) || object.status.phase != 'Provisioning'",
        message: 'Cannot change spec.authoritativeAPI while the machine is being provisioned',
      },
      {
        expression: '!has(object.metadata.deletionTimestamp)',
        message: 'Cannot change spec.authoritativeAPI while the machine is being deleted',
      },
    ],
  },
  {
    name: 'openshift-provide-warning-when-not-synchronized',
    namespace: mapiNamespace,
    rule: { groups: [mapiGroup], resources: ['machines'], operations: ['UPDATE'] },
    conditions: { 'changes-authority': changesAuthority },
    warnsOnly: true,
    validations: [
      {
        expression:
          "has(object.status) && has(object.status.conditions) && object.status.conditions.exists(c, c.type == 'Synchronized' && c.status == 'True')",
        message: 'The machine is not synchronized yet: the migration starts after it is synchronized',
      },
    ],
  },
  {
    name: 'openshift-authoritative-api-transition-requires-capi-infrastructure-ready-and-not-deleting',
    namespace: mapiNamespace,
    rule: { groups: [mapiGroup], resources: ['machines'], operations: ['UPDATE'] },
    twin: capiTwin('Machine'),
    isForUsers: true,
    conditions: { 'changes-authority': changesAuthority },
    validations: [
      {
        expression:
          'has(params.status) && has(params.status.initialization) && has(params.status.initialization.infrastructureProvisioned) && params.status.initialization.infrastructureProvisioned',
        message: 'the infrastructure of the Cluster API Machine is not provisioned yet',
      },
      { expression: '!has(params.metadata.deletionTimestamp)', message: 'the Cluster API Machine is being deleted' },
    ],
  },
  awsUnsupportedFields(),
];

/** Returns a policy that rejects fields of AWSMachine that Machine API does not support. */
function awsUnsupportedFields(): PolicyDeclaration {
  const forbidden = [
    'imageLookupFormat',
    'imageLookupOrg',
    'imageLookupBaseOS',
    'networkInterfaces',
    'uncompressedUserData',
    'securityGroupOverrides',
    'cloudInit',
  ];
  const nested = [
    ['ami', 'eksLookupType'],
    ['ignition', 'proxy'],
    ['ignition', 'tls'],
  ] as const;
  return {
    name: 'openshift-cluster-api-prevent-setting-of-unsupported-aws-fields',
    namespace: capiNamespace,
    rule: {
      groups: [infrastructureGroup],
      resources: ['awsmachines', 'awsmachinetemplates'],
      operations: ['CREATE', 'UPDATE'],
    },
    variables: {
      machineSpec: "request.resource.resource == 'awsmachines' ? dyn(object.spec) : dyn(object.spec.template.spec)",
    },
    validations: [
      ...forbidden.map((field) => ({
        expression: `!has(variables.machineSpec.${field})`,
        message: `${field} is a forbidden field`,
      })),
      ...nested.map(([outer, inner]) => ({
        expression: `!has(variables.machineSpec.${outer}) || !has(variables.machineSpec.${outer}.${inner})`,
        message: `${outer}.${inner} is a forbidden field`,
      })),
    ],
  };
}

/** Returns policies that prevent deletion of the InfraCluster of this cluster. Other InfraClusters can be deleted. */
export function infraClusterProtection(platform: Platform, infraName: string): readonly KubeObject[] {
  const singular = infraClusterKind(platform).toLowerCase();
  return policyObjects({
    name: `openshift-cluster-api-protect-${singular}`,
    namespace: capiNamespace,
    rule: { groups: [infrastructureGroup], resources: [`${singular}s`], operations: ['DELETE'] },
    validations: [
      {
        expression: `oldObject.metadata.name != ${JSON.stringify(infraName)}`,
        message: `${singular} ${infraName} represents this cluster and cannot be deleted`,
      },
    ],
  });
}

/**
 * Returns the policies for machine migration. `exempt` are users besides the two OpenShift service accounts of the controllers.
 */
export function migrationPolicyObjects(exempt: readonly string[] = []): readonly KubeObject[] {
  return migrationPolicies.flatMap((policy) => policyObjects(policy, exempt));
}
