import { annotations, labels as capiLabels } from '@slipway/cluster-api';
import type { Frozen, JsonObject, KubeObject, OwnerReference } from '@slipway/kube';
import { done, ensureFinalizer, type Outcome, type ReconcileContext, type Resource, wait } from '@slipway/runtime';
import type { MapiMachine, MapiMachineSet } from '../../api/index.js';
import { type Converted, recordOf } from '../conversion/conversion.js';
import { type CapiPair, machineSetToCapi, machineToCapi } from '../conversion/machine.js';
import { machineSetStatusToCapi } from '../conversion/machine-set-status.js';
import { machineStatusToCapi } from '../conversion/machine-status.js';
import type { ProviderConversion } from '../conversion/provider.js';
import { syncFinalizer } from '../state/deletion-plan.js';
import type { MigratedKind } from '../state/machine-objects.js';
import { ensureInfraMachine } from './infra-machine.js';
import { applyTemplate, deleteOutdatedTemplates } from './infra-template.js';
import { updateMirror, writeMirrorStatus } from './mirror.js';
import { infraNameOf, type Observed } from './observe.js';
import { capiOwner } from './owners.js';
import { attempted, fieldErrors, inStep, refuse, writeSynchronized, recordWarnings } from './synchronized.js';

/** Inputs of a synchronization. */
export interface Copy {
  readonly kind: MigratedKind;
  readonly conversion: ProviderConversion;
  readonly observed: Observed;
  readonly context: ReconcileContext;
}

/**
 * Synchronizes the Cluster API mirror and its related objects. The mirror is paused if Machine API is authoritative. If Cluster API
 * is, the objects are only created: their controllers start immediately, and their status must not be overwritten.
 */
export async function copyToCapi(copy: Copy, mapi: Frozen<KubeObject>, isPaused: boolean): Promise<Outcome> {
  const { kind, conversion, observed, context } = copy;
  if ((await ensureFinalizer(context, kind.mapi as Resource, mapi, syncFinalizer)).changed) return done();
  const reason = `FailedToConvertMAPI${kind.kind}ToCAPI` as const;
  const owner = capiOwner(kind, observed);
  if (owner.type === 'unsupported') return refuse(kind, mapi, reason, owner.message, context);
  if (owner.type === 'missing') {
    const state = { status: 'False', reason: 'FailedToGetCAPIMachineSet', message: owner.message } as const;
    await writeSynchronized(kind, mapi, state, context);
    return wait({ reason: state.reason, message: owner.message });
  }
  const convert = kind.kind === 'Machine' ? machineToCapi : machineSetToCapi;
  const converted = convert(mapi as never, conversion, observed.facts) as Converted<CapiPair<KubeObject>>;
  if (converted.errors.length > 0) return refuse(kind, mapi, reason, fieldErrors(converted.errors), context);
  recordWarnings(mapi, converted, context);
  const desired = mirrorOf(converted.value.object, owner, isPaused);
  return kind.kind === 'Machine'
    ? copyMachine(copy, mapi, desired, converted.value.infraSpec, owner.reference, isPaused)
    : copySet(copy, mapi, desired, converted.value.infraSpec, owner.reference, isPaused);
}

function mirrorOf(
  object: KubeObject,
  owner: { readonly reference: OwnerReference | undefined; readonly setName?: string },
  isPaused: boolean,
): KubeObject {
  const { metadata } = object;
  // The annotation is set on creation: without it, the provider would start a second instance.
  const paused: Record<string, string> = isPaused ? { [annotations.paused]: '' } : {};
  const set: Record<string, string> = owner.setName === undefined ? {} : { [capiLabels.setName]: owner.setName };
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, ...set },
      annotations: { ...metadata.annotations, ...paused },
      finalizers: [syncFinalizer],
      ...(owner.reference && { ownerReferences: [owner.reference] }),
    },
  };
}

/**
 * Creates the Machine first and then the infrastructure machine, whose owner reference needs the uid of the Machine.
 */
async function copyMachine(
  copy: Copy,
  mapi: Frozen<KubeObject>,
  desired: KubeObject,
  infraSpec: JsonObject,
  owner: OwnerReference | undefined,
  isPaused: boolean,
): Promise<Outcome> {
  const { kind, conversion, observed, context } = copy;
  const mirror = await writeMirror(copy, mapi, desired, owner);
  const infra = await ensureInfraMachine(copy, mapi, mirror, infraSpec);
  if (infra === undefined) {
    const message = 'Recreating the infrastructure machine, because its spec is immutable';
    const state = { status: 'Unknown', reason: 'ProgressingToCreateCAPIInfraMachine', message } as const;
    await writeSynchronized(kind, mapi, state, context);
    return wait({ ms: 1_000, reason: state.reason, message });
  }
  await writeSynchronized(kind, mapi, inStep, context, mapi.metadata.generation);
  if (!isPaused) return done();
  const machine = mapi as Frozen<MapiMachine>;
  const { value, errors } = machineStatusToCapi(machine);
  if (errors.length > 0) return refuse(kind, mapi, 'FailedToConvertMAPIMachineToCAPI', fieldErrors(errors), context);
  const absent = { phase: undefined, initialization: undefined, deprecated: undefined, nodeRef: undefined };
  const fields = { ...absent, addresses: undefined, ...value.fields, observedGeneration: mirror.metadata.generation };
  await writeMirrorStatus(kind.capi, mirror, fields, value.conditions, context);
  const { phase, addresses = [], providerStatus } = (machine.status ?? {}) as NonNullable<MapiMachine['status']>;
  const instance = {
    phase,
    addresses,
    providerStatus: recordOf(providerStatus),
    value: recordOf(machine.spec?.providerSpec?.value),
  };
  await writeMirrorStatus(observed.infraResource, infra, conversion.statusToCapi(instance), [], context);
  return done();
}

/** Creates the template before the set that refers to it, and deletes unreferenced templates last. */
async function copySet(
  copy: Copy,
  mapi: Frozen<KubeObject>,
  desired: KubeObject,
  infraSpec: JsonObject,
  owner: OwnerReference | undefined,
  isPaused: boolean,
): Promise<Outcome> {
  const { kind, context } = copy;
  const template = infraNameOf(kind, desired) ?? '';
  await applyTemplate(copy, mapi, desired, template, infraSpec, owner);
  const mirror = await writeMirror(copy, mapi, desired, owner);
  await deleteOutdatedTemplates(copy, desired.metadata.name ?? '', template);
  await writeSynchronized(kind, mapi, inStep, context, mapi.metadata.generation);
  if (!isPaused) return done();
  const status = machineSetStatusToCapi(mapi as Frozen<MapiMachineSet>);
  if (status === undefined) return done();
  const fields = { ...status.fields, observedGeneration: mirror.metadata.generation };
  await writeMirrorStatus(kind.capi, mirror, fields, status.conditions, context);
  return done();
}

function writeMirror(
  { kind, observed, context }: Copy,
  mapi: Frozen<KubeObject>,
  desired: KubeObject,
  owner: OwnerReference | undefined,
): Promise<Frozen<KubeObject>> {
  const { capi } = observed;
  const resource = kind.capi as Resource;
  return capi === undefined
    ? attempted(kind, mapi, `FailedToCreateCAPI${kind.kind}`, context, () =>
        context.change({
          verb: 'create',
          resource,
          object: desired,
          reason: 'MirrorMissing',
          message: `Created ${kind.kind} ${desired.metadata.name ?? ''} of Cluster API as the mirror of its Machine API counterpart`,
        }),
      )
    : attempted(kind, mapi, `FailedToUpdateCAPI${kind.kind}`, context, () =>
        updateMirror(resource, capi, desired, owner, context),
      );
}
