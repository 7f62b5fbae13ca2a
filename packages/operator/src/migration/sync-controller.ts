import { annotations } from '@slipway/cluster-api';
import { deepEqual, formatFieldError, formatTime, type Frozen, type JsonObject, type KubeObject } from '@slipway/kube';
import {
  addFinalizer,
  type Controller,
  createController,
  done,
  edit,
  isDeleting,
  keyOf,
  type ObjectKey,
  type Outcome,
  ownerReference,
  patchObject,
  type ReconcileContext,
  removeFinalizer,
  type Resource,
  terminal,
  wait,
  watch,
} from '@slipway/runtime';
import { infrastructureGroup, namespaces } from '../openshift/names.js';
import type { Converted } from './conversion/conversion.js';
import {
  type CapiPair,
  machineSetToCapi,
  machineSetToMapi,
  machineToCapi,
  machineToMapi,
} from './conversion/machine.js';
import type { ConversionFacts, ProviderConversion } from './conversion/provider.js';
import { planMachineDeletion, syncFinalizer } from './state/deletion-plan.js';
import type { MigratedKind } from './state/machine-objects.js';
import { planSync, type SyncStep } from './state/sync-plan.js';

export interface SyncOptions {
  readonly conversion: ProviderConversion;
  readonly facts: ConversionFacts;
}

/** Keeps a mirror of each machine in the API that does not decide about it. */
export function createSyncController(kind: MigratedKind, options: SyncOptions): Controller {
  const inMapi = ({ metadata }: Frozen<KubeObject>): ObjectKey[] => [
    { namespace: namespaces.machineApi, name: metadata.name ?? '' },
  ];
  return createController({
    name: `${kind.kind.toLowerCase()}sync`,
    for: kind.mapi as Resource,
    filter: ({ object }) => object.metadata.namespace === namespaces.machineApi,
    watches: [
      watch(kind.capi as Resource, {
        map: (object) => (object.metadata.namespace === namespaces.clusterApi ? inMapi(object) : []),
      }),
    ],
    reconcile: (key, context) => reconcile({ kind, ...options }, key.name, context, inMapi),
  });
}

interface Sync extends SyncOptions {
  readonly kind: MigratedKind;
}

interface Observed {
  readonly mapi: Frozen<KubeObject> | undefined;
  readonly capi: Frozen<KubeObject> | undefined;
  readonly infraResource: Resource;
  readonly infra: Frozen<KubeObject> | undefined;
}

async function reconcile(
  sync: Sync,
  name: string,
  context: ReconcileContext,
  map: (object: Frozen<KubeObject>) => ObjectKey[],
): Promise<Outcome> {
  const observed = await observe(sync, name, context, map);
  if (observed === undefined)
    return wait({ reason: 'WaitingForDefinition', message: 'the provider is not installed yet' });
  const { mapi, capi } = observed;
  const authority = statusOf(mapi)['authoritativeAPI'];
  const step = planSync({
    kind: sync.kind.kind,
    mapi: mapi && {
      authority: (typeof authority === 'string' ? authority : '') as never,
      isDeleting: isDeleting(mapi),
    },
    capi: capi && { isDeleting: isDeleting(capi) },
    ownerHasTwin: false,
  });
  return act(sync, step, observed, context);
}

async function observe(
  { kind, conversion }: Sync,
  name: string,
  context: ReconcileContext,
  map: (object: Frozen<KubeObject>) => ObjectKey[],
): Promise<Observed | undefined> {
  const { client, sources } = context;
  const mapi = sources.sourceFor(kind.mapi as Resource).get({ namespace: namespaces.machineApi, name });
  const capi = sources.sourceFor(kind.capi as Resource).get({ namespace: namespaces.clusterApi, name });
  const infraKind = kind.kind === 'Machine' ? conversion.machineKind : `${conversion.machineKind}Template`;
  const infraResource = await client.resourceFor({ group: infrastructureGroup, kind: infraKind });
  if (infraResource === undefined) return undefined;
  const source = await context.follow({ resource: infraResource, map: kind.kind === 'Machine' ? map : () => [] });
  const infra = source.get({ namespace: namespaces.clusterApi, name: infraNameOf(kind, capi, name) });
  return { mapi, capi, infraResource, infra };
}

function infraNameOf({ kind }: MigratedKind, capi: Frozen<KubeObject> | undefined, name: string): string {
  const spec = recordAt(capi, 'spec');
  const machine = kind === 'Machine' ? spec : recordAt({ value: recordAt(spec, 'template') }, 'value', 'spec');
  const reference = recordAt(machine, 'infrastructureRef')['name'];
  return typeof reference === 'string' ? reference : name;
}

async function act(sync: Sync, step: SyncStep, observed: Observed, context: ReconcileContext): Promise<Outcome> {
  const { mapi, capi, infra } = observed;
  switch (step.type) {
    case 'nothing':
      return done();
    case 'toCapi':
      return mapi === undefined ? done() : toCapi(sync, mapi, observed, step.isPaused, context);
    case 'toMapi':
      if (capi === undefined || infra === undefined)
        return wait({ reason: 'CAPIMachineNotFound', message: 'the infrastructure of the machine is not there yet' });
      return toMapi(sync, observed, { object: capi, infraSpec: infraSpecOf(sync.kind, infra) }, context);
    case 'delete':
      return deleteSides(sync, step.sides, observed, context);
  }
}

function infraSpecOf({ kind }: MigratedKind, infra: Frozen<KubeObject>): JsonObject {
  return kind === 'Machine' ? recordAt(infra, 'spec') : recordAt(infra, 'spec', 'template', 'spec');
}

async function toCapi(
  sync: Sync,
  mapi: Frozen<KubeObject>,
  { capi, infra, infraResource }: Observed,
  isPaused: boolean,
  context: ReconcileContext,
): Promise<Outcome> {
  const { client, signal } = context;
  if (await ensureSyncFinalizer(sync.kind.mapi as Resource, mapi, context)) return done();
  const convert = sync.kind.kind === 'Machine' ? machineToCapi : machineSetToCapi;
  const converted = convert(mapi as never, sync.conversion, sync.facts) as Converted<CapiPair<KubeObject>>;
  if (converted.errors.length > 0)
    return refuse(sync, mapi, converted, `FailedToConvertMAPI${sync.kind.kind}ToCAPI`, context);
  tellWarnings(mapi, converted, context);
  const { object, infraSpec } = converted.value;
  // In the write that makes it: a moment without it, and a second instance is started.
  const paused: Record<string, string> = isPaused ? { [annotations.paused]: '' } : {};
  const wanted = withMetadata(object, {
    annotations: { ...object.metadata.annotations, ...paused },
    finalizers: [syncFinalizer],
  });
  const isSet = sync.kind.kind === 'MachineSet';
  const infraName = infraNameOf(sync.kind, wanted, wanted.metadata.name ?? '');
  // A set refers to its template, so that this has to be there first; a machine owns its infrastructure.
  if (isSet) await ensureInfra(sync, infraResource, infraName, infraSpec, wanted, undefined, context);
  const mirror =
    capi === undefined
      ? await client.create(sync.kind.capi as Resource, wanted, { signal })
      : await merge(sync.kind.capi as Resource, capi, wanted, context);
  if (!isSet) {
    const outcome = await ensureInfra(sync, infraResource, infraName, infraSpec, wanted, { mirror, infra }, context);
    if (outcome !== undefined) return outcome;
  }
  await told(
    sync,
    mapi,
    { status: 'True', reason: 'ResourceSynchronized', message: 'Successfully synchronized' },
    context,
    mapi.metadata.generation,
  );
  return done();
}

/** Undefined when it is as it is to be. An infra machine cannot be changed: it is made again, which nobody acts on. */
async function ensureInfra(
  sync: Sync,
  resource: Resource,
  name: string,
  spec: JsonObject,
  wanted: KubeObject,
  owner: { readonly mirror: Frozen<KubeObject>; readonly infra: Frozen<KubeObject> | undefined } | undefined,
  { client, signal }: ReconcileContext,
): Promise<Outcome | undefined> {
  const { labels = {}, annotations: own = {} } = wanted.metadata;
  const paused: Record<string, string> = Object.hasOwn(own, annotations.paused) ? { [annotations.paused]: '' } : {};
  const setLabel = { 'machine.openshift.io/cluster-api-machineset': wanted.metadata.name ?? '' };
  const object: KubeObject = {
    apiVersion: sync.conversion.apiVersion,
    kind: resource.kind,
    metadata: {
      namespace: namespaces.clusterApi,
      name,
      labels: owner === undefined ? { ...labels, ...setLabel } : { ...labels },
      ...(owner && {
        annotations: paused,
        finalizers: [syncFinalizer],
        ownerReferences: [ownerReference(owner.mirror, { controller: true })],
      }),
    },
    spec: owner === undefined ? { template: { spec } } : spec,
  };
  if (owner?.infra === undefined) {
    if (owner === undefined)
      await client.apply(resource, keyOf(object), object as never, {
        fieldManager: 'machine-api-migration',
        force: true,
        signal,
      });
    else await client.create(resource, object, { signal });
    return undefined;
  }
  if (deepEqual(owner.infra['spec'], spec)) return undefined;
  const bare = edit(owner.infra, (draft) => void (draft.metadata.finalizers = []));
  if (!isDeleting(owner.infra)) await client.delete(resource, keyOf(owner.infra), { signal });
  await patchObject(client, resource, owner.infra, bare, { signal });
  return wait({ ms: 1_000, reason: 'ProgressingToCreateCAPIInfraMachine', message: 'the infra machine is made again' });
}

async function toMapi(
  sync: Sync,
  { mapi, capi }: Observed,
  pair: CapiPair<Frozen<KubeObject>>,
  context: ReconcileContext,
): Promise<Outcome> {
  const convert = sync.kind.kind === 'Machine' ? machineToMapi : machineSetToMapi;
  const converted = convert(pair as never, sync.conversion, sync.facts) as Converted<KubeObject>;
  if (mapi === undefined) {
    if (converted.errors.length > 0) return terminal(new Error(converted.errors.map(formatFieldError).join('; ')));
    await context.client.create(
      sync.kind.mapi as Resource,
      withMetadata(converted.value, { finalizers: [syncFinalizer] }),
    );
    return done();
  }
  if (converted.errors.length > 0)
    return refuse(sync, mapi, converted, `FailedToConvertCAPI${sync.kind.kind}ToMAPI`, context);
  tellWarnings(mapi, converted, context);
  const after = await merge(sync.kind.mapi as Resource, mapi, converted.value, context);
  await told(
    sync,
    after,
    { status: 'True', reason: 'ResourceSynchronized', message: 'Successfully synchronized' },
    context,
    capi?.metadata.generation,
  );
  return done();
}

async function deleteSides(
  sync: Sync,
  sides: 'both' | 'mapi',
  { mapi, capi, infra, infraResource }: Observed,
  context: ReconcileContext,
): Promise<Outcome> {
  const resources = { mapi: sync.kind.mapi as Resource, capi: sync.kind.capi as Resource, infra: infraResource };
  const objects =
    sides === 'mapi'
      ? { mapi, capi: undefined, infra: undefined }
      : { mapi, capi, infra: sync.kind.kind === 'Machine' ? infra : undefined };
  const authority = statusOf(mapi)['authoritativeAPI'] === 'ClusterAPI' ? 'ClusterAPI' : 'MachineAPI';
  const step = planMachineDeletion(sides === 'mapi' ? 'MachineAPI' : authority, objects);
  const { client, signal } = context;
  if (step.type === 'wait') return wait({ reason: 'WaitingForDeletion', message: step.message });
  if (step.type === 'done') return done();
  const object = objects[step.side];
  if (object === undefined) return done();
  if (step.type === 'delete') await client.delete(resources[step.side], keyOf(object), { signal });
  else {
    const after = edit(object, (draft) =>
      step.finalizers.forEach((finalizer) => removeFinalizer(draft.metadata, finalizer)),
    );
    await patchObject(client, resources[step.side], object, after, { signal });
  }
  if (mapi !== undefined) context.enqueue(keyOf(mapi));
  return done();
}

async function ensureSyncFinalizer(
  resource: Resource,
  object: Frozen<KubeObject>,
  { client, signal }: ReconcileContext,
): Promise<boolean> {
  const after = edit(object, (draft) => addFinalizer(draft.metadata, syncFinalizer));
  if (after === object) return false;
  await patchObject(client, resource, object, after, { signal });
  return true;
}

/** What others put on the mirror stays; what we say wins. */
async function merge(
  resource: Resource,
  there: Frozen<KubeObject>,
  wanted: KubeObject,
  { client, signal }: ReconcileContext,
): Promise<Frozen<KubeObject>> {
  const after = edit(there, (draft) => {
    draft.metadata.labels = { ...draft.metadata.labels, ...wanted.metadata.labels };
    draft.metadata.annotations = { ...draft.metadata.annotations, ...wanted.metadata.annotations };
    addFinalizer(draft.metadata, syncFinalizer);
    if (!deepEqual(draft['spec'], wanted['spec'])) draft['spec'] = wanted['spec'];
  });
  return patchObject(client, resource, there, after, { signal });
}

function refuse(
  sync: Sync,
  mapi: Frozen<KubeObject>,
  { errors }: Converted<unknown>,
  reason: string,
  context: ReconcileContext,
): Promise<Outcome> {
  const message = errors.map(formatFieldError).join('; ');
  context.events.record(mapi, { type: 'Warning', reason: 'SynchronizationError', action: 'Converting', message });
  // Only an edit helps, and that wakes us.
  return told(sync, mapi, { status: 'False', reason, message }, context).then(() => terminal(new Error(message)));
}

function tellWarnings(mapi: Frozen<KubeObject>, { warnings }: Converted<unknown>, { events }: ReconcileContext): void {
  for (const message of warnings)
    events.record(mapi, { type: 'Warning', reason: 'ConversionWarning', action: 'Converting', message });
}

const severities: Readonly<Record<string, string>> = { False: 'Error', Unknown: 'Info' };

async function told(
  { kind }: Sync,
  mapi: Frozen<KubeObject>,
  condition: { readonly status: string; readonly reason: string; readonly message: string },
  { client, clock, signal }: ReconcileContext,
  generation?: number,
): Promise<void> {
  const status = statusOf(mapi);
  const conditions = (status['conditions'] ?? []) as readonly JsonObject[];
  const before = conditions.find(({ type }) => type === 'Synchronized');
  const lastTransitionTime =
    before?.['status'] === condition.status ? (before['lastTransitionTime'] ?? '') : formatTime(clock.now());
  const severity = severities[condition.status];
  const next = { type: 'Synchronized', ...condition, ...(severity !== undefined && { severity }), lastTransitionTime };
  const isSame =
    deepEqual(before, next) && (generation === undefined || status['synchronizedGeneration'] === generation);
  if (isSame) return;
  const patch = {
    status: {
      conditions: [...conditions.filter(({ type }) => type !== 'Synchronized'), next],
      ...(generation !== undefined && { synchronizedGeneration: generation }),
    },
  };
  await client.patch(kind.mapi as Resource, keyOf(mapi), { type: 'merge', patch }, { subresource: 'status', signal });
}

function withMetadata(object: KubeObject, metadata: Partial<KubeObject['metadata']>): KubeObject {
  return { ...object, metadata: { ...object.metadata, ...metadata } };
}

function statusOf(object: Frozen<KubeObject> | undefined): JsonObject {
  return recordAt(object, 'status');
}

function recordAt(value: unknown, ...path: readonly string[]): JsonObject {
  let found: unknown = value;
  for (const step of path) found = (found as Readonly<Record<string, unknown>> | undefined)?.[step];
  return typeof found === 'object' && found !== null ? (found as JsonObject) : {};
}
