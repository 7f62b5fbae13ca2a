import {
  asJson,
  cloneJson,
  generateUid,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  lastAppliedAnnotation,
  type MutableJson,
  type MutableJsonObject,
  type RandomSource,
} from '@slipway/kube';
import { annotations, labels } from '../../api/index.js';
import { conversionDataAnnotation } from '../../conversion/index.js';
import type { VariableValue } from '../../variables/index.js';
import { controlPlaneFields, machineMetadataField, replicasField, versionField } from '../control-plane-fields.js';
import { type FieldPath, fieldAt, removeField, setField } from '../json-fields.js';
import type {
  Blueprint,
  DeploymentClass,
  DeploymentTopology,
  DesiredControlPlane,
  DesiredDeployment,
  DesiredPool,
  DesiredState,
  ObservedCluster,
  ObservedObject,
  PoolClass,
  PoolTopology,
  WorkerBlueprint,
} from '../topology-state.js';
import { controlPlaneBuiltins, deploymentBuiltins, poolBuiltins } from './builtin-variables.js';

interface HolderReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldPath: string;
}

/** A template to patch, and the object that receives the result. */
export interface PatchItem {
  readonly uid: string;
  readonly holder: HolderReference;
  /** A template of the ClusterClass, with the labels and annotations of the resulting object. */
  readonly template: MutableJsonObject;
  readonly target: KubeObject;
  /** Whether the target is the object that the template describes, or a copy of the template. */
  readonly shape: 'object' | 'template';
  /** Fields set by the topology that patches must not change. */
  readonly preserved: readonly FieldPath[];
  readonly overrides: readonly VariableValue[];
  readonly builtins: JsonObject;
}

const bootstrapPath = 'spec.template.spec.bootstrap.configRef';
const infrastructurePath = 'spec.template.spec.infrastructureRef';

/** Returns all templates of a topology that can be patched. */
export function patchItems(
  blueprint: Blueprint,
  cluster: ObservedCluster,
  desired: DesiredState,
  random: RandomSource,
): readonly PatchItem[] {
  const { machineDeployments = [], machinePools = [] } = blueprint.topology.workers ?? {};
  const owner = cluster as Holder;
  const drafts: readonly ItemDraft[] = [
    {
      template: blueprint.infrastructureCluster,
      target: desired.infrastructureCluster,
      shape: 'object',
      holder: holderOf(owner, 'spec.infrastructureRef'),
      overrides: [],
      builtins: {},
    },
    ...controlPlaneItems(blueprint, owner, desired.controlPlane),
    ...machineDeployments.flatMap((topology) => {
      const made = desired.machineDeployments.get(topology.name);
      const builtins = made === undefined ? {} : deploymentBuiltins(topology, made);
      return workerItems(topology, blueprint.machineDeployments.get(topology.class), made, 'template', builtins);
    }),
    ...machinePools.flatMap((topology) => {
      const made = desired.machinePools.get(topology.name);
      const builtins = made === undefined ? {} : poolBuiltins(topology, made);
      return workerItems(topology, blueprint.machinePools.get(topology.class), made, 'object', builtins);
    }),
  ];
  return drafts.map(({ template, preserved = [], ...draft }) => ({
    ...draft,
    uid: generateUid(random),
    template: preparedTemplate(template, draft.target, draft.shape),
    preserved: [...alwaysPreserved, ...preserved],
  }));
}

type Holder = Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'>;

interface ItemDraft extends Omit<PatchItem, 'uid' | 'template' | 'preserved'> {
  readonly template: ObservedObject;
  readonly preserved?: readonly FieldPath[];
}

function holderOf({ apiVersion, kind, metadata }: Holder, fieldPath: string): HolderReference {
  return { apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name ?? '', fieldPath };
}

function controlPlaneItems(blueprint: Blueprint, owner: Holder, desired: DesiredControlPlane): readonly ItemDraft[] {
  const { template, contract, machineInfrastructure } = blueprint.controlPlane;
  const { object, machineInfrastructure: target } = desired;
  const variables = {
    overrides: blueprint.topology.controlPlane?.variables?.overrides ?? [],
    builtins: controlPlaneBuiltins(blueprint, desired),
  };
  const holder = holderOf(owner, 'spec.controlPlaneRef');
  const controlPlane: ItemDraft = {
    template,
    target: object,
    shape: 'object',
    holder,
    ...variables,
    preserved: controlPlanePreserved,
  };
  if (machineInfrastructure === undefined || target === undefined) return [controlPlane];
  const path = controlPlaneFields[contract].infrastructureRef.join('.');
  const machines: ItemDraft = {
    template: machineInfrastructure,
    target,
    shape: 'template',
    holder: holderOf(object, path),
    ...variables,
  };
  return [controlPlane, machines];
}

/** Returns the items of workers. MachineDeployments have copies of the templates, MachinePools have the objects themselves. */
function workerItems(
  topology: DeploymentTopology | PoolTopology,
  worker: WorkerBlueprint<DeploymentClass | PoolClass> | undefined,
  made: DesiredDeployment | DesiredPool | undefined,
  shape: PatchItem['shape'],
  builtins: JsonObject,
): readonly ItemDraft[] {
  if (worker === undefined || made === undefined) return [];
  const holder = made.object as KubeObject;
  const rest = { shape, overrides: topology.variables?.overrides ?? [], builtins };
  return [
    { template: worker.bootstrap, target: made.bootstrap, holder: holderOf(holder, bootstrapPath), ...rest },
    {
      template: worker.infrastructure,
      target: made.infrastructure,
      holder: holderOf(holder, infrastructurePath),
      ...rest,
    },
  ];
}

const alwaysPreserved: readonly FieldPath[] = [
  ...[labels.clusterName, labels.topologyOwned, labels.topologyDeploymentName, labels.topologyPoolName].map(
    (name) => ['metadata', 'labels', name] as const,
  ),
  ...[annotations.clonedFromName, annotations.clonedFromGroupKind].map(
    (name) => ['metadata', 'annotations', name] as const,
  ),
];

const controlPlanePreserved: readonly FieldPath[] = [
  machineMetadataField,
  replicasField,
  versionField,
  ...Object.values(controlPlaneFields.v1beta1),
  ...Object.values(controlPlaneFields.v1beta2),
];

const templateMetadata = ['spec', 'template', 'metadata'] as const;

function preparedTemplate(template: ObservedObject, target: KubeObject, shape: PatchItem['shape']): MutableJsonObject {
  const { managedFields: _fields, annotations: _annotations, ...metadata } = template.metadata;
  const {
    [lastAppliedAnnotation]: _applied,
    [conversionDataAnnotation]: _data,
    ...kept
  } = { ...template.metadata.annotations };
  const json = cloneJson({
    ...asJson(template),
    metadata: { ...metadata, ...(Object.keys(kept).length === 0 ? {} : { annotations: kept }) },
  }) as MutableJsonObject;
  const place = shape === 'object' ? templateMetadata : (['metadata'] as const);
  for (const part of ['labels', 'annotations'] as const) {
    const values = target.metadata[part];
    if (values !== undefined) setField(json, [...place, part], cloneJson(values));
  }
  return json;
}

const copiedFields: Readonly<Record<PatchItem['shape'], readonly (readonly [FieldPath, FieldPath])[]>> = {
  object: [
    [['spec', 'template', 'spec'], ['spec']],
    [
      [...templateMetadata, 'labels'],
      ['metadata', 'labels'],
    ],
    [
      [...templateMetadata, 'annotations'],
      ['metadata', 'annotations'],
    ],
  ],
  template: [
    [
      ['metadata', 'labels'],
      ['metadata', 'labels'],
    ],
    [
      ['metadata', 'annotations'],
      ['metadata', 'annotations'],
    ],
    [
      ['spec', 'template', 'spec'],
      ['spec', 'template', 'spec'],
    ],
    [
      [...templateMetadata, 'labels'],
      [...templateMetadata, 'labels'],
    ],
    [
      [...templateMetadata, 'annotations'],
      [...templateMetadata, 'annotations'],
    ],
  ],
};

/** Writes the patched template to its target object. */
export function takeOverTemplate({ template, target, shape, preserved }: PatchItem): void {
  const json = asJson(target);
  const kept = preserved
    .map((path) => [path, fieldAt(json, path)] as const)
    .filter((entry): entry is readonly [FieldPath, JsonValue] => entry[1] !== undefined);
  for (const [from, to] of copiedFields[shape]) {
    const value = fieldAt(template, from);
    if (value !== undefined) setField(json, to, cloneJson(value) as MutableJson);
  }
  for (const [path, value] of kept) setField(json, path, cloneJson(value) as MutableJson);
}

/** The fields of a template that patches may change. Others are restored. */
const patchable: readonly FieldPath[] = [['spec'], ['metadata', 'labels'], ['metadata', 'annotations']];

export function takeOverPatched(template: MutableJsonObject, patched: JsonObject): void {
  for (const path of patchable) {
    const value = fieldAt(patched, path);
    if (value === undefined) removeField(template, path);
    else setField(template, path, value as MutableJson);
  }
}
