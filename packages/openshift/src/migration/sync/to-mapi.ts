import type { Machine, MachineSet } from '@slipway/cluster-api';
import { deepEqual, type Frozen, type KubeObject, type OwnerReference } from '@slipway/kube';
import {
  done,
  ensureFinalizer,
  isDeleting,
  type Outcome,
  type ReconcileContext,
  releaseFinalizer,
  type Resource,
  terminal,
  wait,
} from '@slipway/runtime';
import { type Converted, recordOf } from '../conversion/conversion.js';
import { type CapiPair, machineSetToMapi, machineToMapi } from '../conversion/machine.js';
import { machineSetStatusToMapi } from '../conversion/machine-set-status.js';
import { machineStatusToMapi } from '../conversion/machine-status.js';
import { syncFinalizer } from '../state/deletion-plan.js';
import { updateMirror, writeMirrorStatus } from './mirror.js';
import { infraSpecOf } from './observe.js';
import { mapiOwner } from './owners.js';
import { attempted, fieldErrors, inStep, refuse, writeSynchronized, recordWarnings } from './synchronized.js';
import type { Copy } from './to-capi.js';

/** Synchronizes the Machine API mirror, if Cluster API is authoritative. */
export async function copyToMapi(copy: Copy, capi: Frozen<KubeObject>): Promise<Outcome> {
  const { kind, conversion, observed, context } = copy;
  const { mapi, infra, infraResource } = observed;
  if ((await ensureFinalizer(context, kind.capi as Resource, capi, syncFinalizer)).changed) return done();
  if (infra === undefined) return withoutInfra(copy, mapi);
  if (kind.kind === 'Machine') {
    // The infrastructure machine was deleted without its Machine. It is released once the provider is done; Cluster API handles
    // the Machine.
    if (isDeleting(infra) && deepEqual(infra.metadata.finalizers, [syncFinalizer]))
      await releaseFinalizer(context, infraResource, infra, syncFinalizer);
    else if ((await ensureFinalizer(context, infraResource, infra, syncFinalizer)).changed) return done();
  }
  const reason = `FailedToConvertCAPI${kind.kind}ToMAPI` as const;
  const owner = mapiOwner(kind, observed);
  const convert = kind.kind === 'Machine' ? machineToMapi : machineSetToMapi;
  const pair: CapiPair<Frozen<KubeObject>> = { object: capi, infraSpec: infraSpecOf(kind, infra) };
  const converted = convert(pair as never, conversion, observed.facts) as Converted<KubeObject>;
  const wrong = owner.type === 'owned' ? fieldErrors(converted.errors) : owner.message;
  if (wrong !== '' || owner.type !== 'owned')
    return mapi === undefined ? terminal(new Error(wrong)) : refuse(kind, mapi, reason, wrong, context);
  if (mapi === undefined) return create(converted.value, owner.reference, context, copy);
  recordWarnings(mapi, converted, context);
  const desired = reportingMirror(copy, withRequestedAuthority(converted.value, mapi), capi, infra);
  const after = await attempted(kind, mapi, `FailedToUpdateMAPI${kind.kind}`, context, () =>
    updateMirror(kind.mapi, mapi, desired, owner.reference, context),
  );
  const written = await writeSynchronized(kind, after, inStep, context, capi.metadata.generation);
  await copyStatus(copy, written, capi, infra);
  return done();
}

/** Keeps spec.authoritativeAPI, which the user sets on the Machine API resource. */
function withRequestedAuthority(desired: KubeObject, mapi: Frozen<KubeObject>): KubeObject {
  const { authoritativeAPI } = recordOf(mapi['spec']);
  return authoritativeAPI === undefined
    ? desired
    : { ...desired, spec: { ...recordOf(desired['spec']), authoritativeAPI } };
}

/** Adds the labels and annotation in which Machine API reports the instance. */
function reportingMirror(
  { kind, conversion, observed }: Copy,
  desired: KubeObject,
  capi: Frozen<KubeObject>,
  infra: Frozen<KubeObject>,
): KubeObject {
  if (kind.kind !== 'Machine') return desired;
  const { failureDomain } = (capi as Frozen<Machine>).spec;
  const place = { spec: {}, failureDomain };
  const reported = conversion.reported(recordOf(infra['spec']), recordOf(infra['status']), place, observed.facts);
  const { labels, annotations } = desired.metadata;
  const metadata = {
    ...desired.metadata,
    labels: { ...labels, ...reported.labels },
    annotations: { ...annotations, ...reported.annotations },
  };
  return { ...desired, metadata };
}

async function withoutInfra({ kind, context }: Copy, mapi: Frozen<KubeObject> | undefined): Promise<Outcome> {
  const message = 'the referenced Cluster API infrastructure resource does not exist';
  const reason = 'FailedToGetCAPIInfraResources';
  if (mapi !== undefined) await writeSynchronized(kind, mapi, { status: 'False', reason, message }, context);
  return wait({ reason, message });
}

/**
 * Creates the mirror of a Machine that was created by a Cluster API MachineSet, because that MachineSet is mirrored
 * too.
 */
async function create(
  desired: KubeObject,
  owner: OwnerReference | undefined,
  context: ReconcileContext,
  { kind }: Copy,
): Promise<Outcome> {
  const metadata = {
    ...desired.metadata,
    finalizers: [syncFinalizer],
    ...(owner && { ownerReferences: [owner] }),
  };
  await context.change({
    verb: 'create',
    resource: kind.mapi as Resource,
    object: { ...desired, metadata },
    reason: 'MirrorMissing',
    message: `Created ${kind.kind} ${metadata.name ?? ''} of Machine API as the mirror of its Cluster API counterpart`,
  });
  return done();
}

async function copyStatus(
  { kind, conversion, context }: Copy,
  mapi: Frozen<KubeObject>,
  capi: Frozen<KubeObject>,
  infra: Frozen<KubeObject>,
): Promise<void> {
  const resource = kind.mapi;
  if (kind.kind === 'Machine') {
    const providerStatus = conversion.statusToMapi(recordOf(infra['spec']), recordOf(infra['status']));
    const fields = { ...machineStatusToMapi(capi as Frozen<Machine>), providerStatus };
    await writeMirrorStatus(resource, mapi, fields, [], context);
    return;
  }
  const fields = machineSetStatusToMapi(capi as Frozen<MachineSet>);
  if (fields === undefined) return;
  await writeMirrorStatus(resource, mapi, { ...fields, observedGeneration: mapi.metadata.generation }, [], context);
}
