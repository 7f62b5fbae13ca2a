import { duplicateField, type FieldError, forbiddenField, invalidField, parseApiVersion } from '@slipway/kube';
import type { Infer } from '@slipway/kube/kit';
import { type ClusterClass, clusterClass } from '../api/cluster-class.js';
import type { templateReference } from '../api/shared/references.js';
import { validateVariableSchema } from '../variables/index.js';
import { isKubernetesVersion } from '../version/index.js';
import { type AdmissionContext, defineAdmission } from './admission.js';
import { validateTemplateMetadata } from './common.js';
import { validatePatches } from './class-patches.js';
import { validateClusterClassLive } from './validate-cluster-class-live.js';
import { validateNameTemplate } from './machine-naming.js';
import { validateStrategy } from './machine-deployment.js';
import { validateHealthChecks } from './machine-health-check.js';
import { validateTaints } from './machine-spec.js';

type Spec = ClusterClass['spec'];
type Reference = Infer<typeof templateReference>;

function validateClusterClass(
  object: ClusterClass,
  old: ClusterClass | undefined,
  context: AdmissionContext,
): FieldError[] {
  if (!context.features.ClusterTopology) {
    return [forbiddenField('spec', 'can be set only if the ClusterTopology feature flag is enabled')];
  }
  const { spec } = object;
  return [
    ...templatesOf(spec).flatMap(([path, reference]) => validateTemplateKind(path, reference)),
    ...validateControlPlane(spec, context),
    ...validateWorkers(spec, context),
    ...validateVariables(spec),
    ...validatePatches(spec),
    ...validateVersions(spec),
    ...(old === undefined ? [] : validateCompatible(spec, old.spec)),
  ];
}

const deploymentPath = (index: number) => `spec.workers.machineDeployments[${index}]`;
const poolPath = (index: number) => `spec.workers.machinePools[${index}]`;

function templatesOf(spec: Spec): (readonly [string, Reference])[] {
  const { controlPlane, infrastructure, workers = {} } = spec;
  const machine = controlPlane.machineInfrastructure?.templateRef;
  const ofWorkers = (classes: readonly WorkerClass[], path: (index: number) => string) =>
    classes.flatMap((worker, index) => [
      [`${path(index)}.bootstrap.templateRef`, worker.bootstrap.templateRef] as const,
      [`${path(index)}.infrastructure.templateRef`, worker.infrastructure.templateRef] as const,
    ]);
  return [
    ['spec.infrastructure.templateRef', infrastructure.templateRef],
    ['spec.controlPlane.templateRef', controlPlane.templateRef],
    ...(machine === undefined ? [] : [['spec.controlPlane.machineInfrastructure.templateRef', machine] as const]),
    ...ofWorkers(workers.machineDeployments ?? [], deploymentPath),
    ...ofWorkers(workers.machinePools ?? [], poolPath),
  ];
}

interface WorkerClass {
  readonly class: string;
  readonly bootstrap: { readonly templateRef: Reference };
  readonly infrastructure: { readonly templateRef: Reference };
}

function validateTemplateKind(path: string, { kind }: Reference): FieldError[] {
  return kind.endsWith('Template')
    ? []
    : [invalidField(`${path}.kind`, kind, 'template kind must be of form *Template')];
}

function validateControlPlane({ controlPlane, infrastructure }: Spec, context: AdmissionContext): FieldError[] {
  const values = { cluster: { name: 'cluster' } };
  const path = 'spec.controlPlane';
  const unmanaged = controlPlane.healthCheck !== undefined && controlPlane.machineInfrastructure === undefined;
  return [
    ...validateTemplateMetadata(`${path}.metadata`, controlPlane.metadata),
    ...validateTaints(`${path}.taints`, controlPlane.taints, context, { controlPlane: true }),
    ...validateHealthChecks(`${path}.healthCheck`, controlPlane.healthCheck ?? {}),
    ...(unmanaged
      ? [forbiddenField(`${path}.healthCheck`, 'can be set only if spec.controlPlane.machineInfrastructure is set')]
      : []),
    ...validateNameTemplate(`${path}.naming.template`, controlPlane.naming?.template, values, { random: false }),
    ...validateNameTemplate('spec.infrastructure.naming.template', infrastructure.naming?.template, values, {
      random: false,
    }),
  ];
}

function validateWorkers({ workers = {} }: Spec, context: AdmissionContext): FieldError[] {
  const cluster = { name: 'cluster' };
  const named = { topologyName: 'worker' };
  const deployments = (workers.machineDeployments ?? []).flatMap((worker, index) => {
    const path = deploymentPath(index);
    const values = { cluster, machineDeployment: named };
    return [
      ...validateTemplateMetadata(`${path}.metadata`, worker.metadata),
      ...validateTaints(`${path}.taints`, worker.taints, context, { controlPlane: false }),
      ...validateHealthChecks(`${path}.healthCheck`, worker.healthCheck ?? {}),
      ...validateStrategy(`${path}.rollout.strategy`, worker.rollout?.strategy),
      ...validateNameTemplate(`${path}.naming.template`, worker.naming?.template, values, { random: false }),
    ];
  });
  const pools = (workers.machinePools ?? []).flatMap((worker, index) => {
    const path = poolPath(index);
    const values = { cluster, machinePool: named };
    return [
      ...validateTemplateMetadata(`${path}.metadata`, worker.metadata),
      ...validateTaints(`${path}.taints`, worker.taints, context, { controlPlane: false }),
      ...validateNameTemplate(`${path}.naming.template`, worker.naming?.template, values, { random: false }),
    ];
  });
  return [...deployments, ...pools];
}

function validateVariables({ variables = [] }: Spec): FieldError[] {
  const seen = new Set<string>();
  return variables.flatMap(({ name, schema }, index) => {
    const path = `spec.variables[${index}].name`;
    const errors: FieldError[] = [];
    if (seen.has(name)) errors.push(duplicateField(path, name));
    seen.add(name);
    if (name === 'builtin') errors.push(invalidField(path, name, '"builtin" is a reserved variable name'));
    // Patches address variables by dotted paths, so a dot would end the variable name.
    if (name.includes('.')) errors.push(invalidField(path, name, 'variable name cannot contain "."'));
    return [...errors, ...validateVariableSchema(`spec.variables[${index}]`, name, schema)];
  });
}

function validateVersions({ kubernetesVersions = [], upgrade }: Spec): FieldError[] {
  const both = kubernetesVersions.length > 0 && upgrade?.external?.generateUpgradePlanExtension !== undefined;
  return [
    ...kubernetesVersions.flatMap((version, index) =>
      isKubernetesVersion(version)
        ? []
        : [invalidField(`spec.kubernetesVersions[${index}]`, version, 'version must be a valid semantic version')],
    ),
    ...(both
      ? [
          forbiddenField(
            'spec.kubernetesVersions',
            'cannot be set together with spec.upgrade.external.generateUpgradePlanExtension',
          ),
        ]
      : []),
  ];
}

/**
 * Rejects changes to the group or kind of templates: the objects of existing Clusters cannot change these. Template names and API
 * versions may change.
 */
export function validateCompatible(spec: Spec, old: Spec): FieldError[] {
  const { controlPlane, infrastructure } = spec;
  const machine = 'spec.controlPlane.machineInfrastructure.templateRef';
  return [
    ...sameKind('spec.infrastructure.templateRef', infrastructure.templateRef, old.infrastructure.templateRef),
    ...sameKind('spec.controlPlane.templateRef', controlPlane.templateRef, old.controlPlane.templateRef),
    ...sameKind(
      machine,
      controlPlane.machineInfrastructure?.templateRef,
      old.controlPlane.machineInfrastructure?.templateRef,
    ),
    ...sameWorkers(spec.workers?.machineDeployments, old.workers?.machineDeployments, deploymentPath),
    ...sameWorkers(spec.workers?.machinePools, old.workers?.machinePools, poolPath),
  ];
}

function sameWorkers(
  workers: readonly WorkerClass[] = [],
  old: readonly WorkerClass[] = [],
  path: (index: number) => string,
): FieldError[] {
  const former = new Map(old.map((worker) => [worker.class, worker]));
  return workers.flatMap((worker, index) =>
    sameKind(
      `${path(index)}.infrastructure.templateRef`,
      worker.infrastructure.templateRef,
      former.get(worker.class)?.infrastructure.templateRef,
    ),
  );
}

function sameKind(path: string, reference: Reference | undefined, old: Reference | undefined): FieldError[] {
  if (reference === undefined || old === undefined) return [];
  const errors: FieldError[] = [];
  const group = parseApiVersion(reference.apiVersion).group;
  const oldGroup = parseApiVersion(old.apiVersion).group;
  if (group !== oldGroup)
    errors.push(
      forbiddenField(
        `${path}.apiVersion`,
        `group cannot be changed from "${oldGroup}" to "${group}" to prevent incompatible changes in the Clusters`,
      ),
    );
  if (reference.kind !== old.kind)
    errors.push(
      forbiddenField(
        `${path}.kind`,
        `kind cannot be changed from "${old.kind}" to "${reference.kind}" to prevent incompatible changes in the Clusters`,
      ),
    );
  return errors;
}

export const clusterClassAdmission = defineAdmission(clusterClass, {
  validate: validateClusterClass,
  validateLive: validateClusterClassLive,
});
