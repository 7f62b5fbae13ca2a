import {
  type Machine,
  machines,
  openReconcile,
  reasonByWorst,
  reasons,
  setV1beta1Summary,
  summaryCondition,
  type V1beta1Target,
} from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  type Conditioned,
  type ConditionTarget,
  done,
  edit,
  ensureOwnerReference,
  FencedError,
  type Index,
  isDeleting,
  isSameOwner,
  keyText,
  keyOf,
  type ObjectKey,
  type Outcome,
  ownerReference,
  type ReconcileContext,
  releaseFinalizer,
  removeOwnerReference,
  retry,
  setCondition,
} from '@slipway/runtime';
import {
  type VSphereCluster,
  vsphereClusters,
  vsphereConditions,
  type VSphereDeploymentZone,
  vsphereDeploymentZones,
  type VSphereFailureDomain,
  vsphereFailureDomains,
  vsphereFinalizers,
  vsphereV1Beta1Conditions,
} from '../../api/index.js';
import { Finder, type VimSession } from '../../vim25/index.js';
import { serverIndex } from '../cluster/server-index.js';
import { type BothConditions, setBothConditions } from '../conditions.js';
import { openSession } from '../credentials/index.js';
import type { VCenterDependencies } from '../dependencies.js';
import { validateDomain, validatePlacement, ZoneError } from './validate-zone.js';

type Zone = Frozen<VSphereDeploymentZone>;

const { ready, vcenterAvailable, placementConstraintReady, failureDomainValidated } = vsphereConditions;
const types = [vcenterAvailable, placementConstraintReady, failureDomainValidated];
const oldTypes: Readonly<Record<string, string>> = {
  [placementConstraintReady]: vsphereV1Beta1Conditions.placementConstraintMet,
  [failureDomainValidated]: vsphereV1Beta1Conditions.failureDomainValidated,
};
const ownedConditions = [ready, ...types, ...Object.values(oldTypes)];
const reasonOf = reasonByWorst(reasons.notReady, reasons.readyUnknown, reasons.ready);
const finalizer = vsphereFinalizers.vsphereDeploymentZone;

/** Indexes Machines by their failure domain. */
const zoneNameIndex: Index<Machine> = {
  name: 'machine failure domain',
  valuesOf: ({ spec }) => (spec.failureDomain === undefined ? [] : [spec.failureDomain]),
};

/** Validates a zone: whether the inventory objects that it names exist. */
export async function reconcileZone(
  key: ObjectKey,
  context: ReconcileContext,
  dependencies: VCenterDependencies,
): Promise<Outcome> {
  const zone = context.sources.sourceFor(vsphereDeploymentZones).get(key);
  if (zone === undefined) return done();
  if (!(await openReconcile(context, vsphereDeploymentZones, zone, { finalizer }))) return done();
  if (isDeleting(zone)) return removeZone(context, zone);
  const found: State[] = [];
  let failure: Error | undefined;
  try {
    await validate(context, dependencies, zone, found);
  } catch (error) {
    if (error instanceof FencedError || context.signal.aborted) throw error;
    failure = error instanceof Error ? error : new Error(String(error), { cause: error });
    noteFailure(found, failure);
  }
  await report(context, zone, found, failure === undefined);
  return failure === undefined ? done() : retry(failure);
}

type State = Omit<BothConditions, 'oldType'>;

async function validate(
  context: ReconcileContext,
  dependencies: VCenterDependencies,
  zone: Zone,
  found: State[],
): Promise<void> {
  const domain = domainOf(context, zone);
  if (domain === undefined) {
    throw new ZoneError(
      'failureDomain',
      'ValidationFailed',
      `VSphereFailureDomain ${zone.spec.failureDomain} not found`,
    );
  }
  const session = await connect(context, dependencies, zone);
  const options = { signal: context.signal };
  const inventory = { session, options, finder: new Finder(session.soap, domain.spec.topology.datacenter, options) };
  await inventory.finder.datacenter();
  found.push({ type: vcenterAvailable, status: 'True', reason: reasons.available });
  const pool = await validatePlacement(zone, inventory);
  found.push({ type: placementConstraintReady, status: 'True', reason: reasons.ready });
  await validateDomain(domain, pool, inventory);
  found.push({ type: failureDomainValidated, status: 'True', reason: 'Validated' });
  const after = edit(domain, (draft) => ensureOwnerReference(draft.metadata, ownerReference(zone)));
  await context.change({
    verb: 'patch',
    resource: vsphereFailureDomains,
    before: domain,
    after,
    reason: 'FailureDomainUsed',
    message: `Set VSphereDeploymentZone ${zone.metadata.name ?? ''} as owner of its failure domain`,
  });
}

function noteFailure(found: State[], failure: Error): void {
  const { message } = failure;
  if (failure instanceof ZoneError) {
    const type = failure.condition === 'placement' ? placementConstraintReady : failureDomainValidated;
    found.push({ type, status: 'False', reason: failure.reason, message, old: failure.old });
  } else if (found.length === 0) {
    found.push({ type: vcenterAvailable, status: 'False', reason: 'VCenterUnreachable', message });
  } else {
    const type = types[found.length] ?? failureDomainValidated;
    const reason = type === placementConstraintReady ? 'ResourcePoolNotFound' : 'ValidationFailed';
    found.push({ type, status: 'False', reason, message });
  }
}

/** Uses the credentials of the first cluster of that vCenter whose credentials are usable, or else the manager's. */
async function connect(context: ReconcileContext, dependencies: VCenterDependencies, zone: Zone): Promise<VimSession> {
  const { server = '' } = zone.spec;
  const candidates = context.sources
    .sourceFor(vsphereClusters)
    .byIndex(serverIndex, server)
    .filter((one) => (one as Frozen<VSphereCluster>).spec.identityRef !== undefined) as Frozen<VSphereCluster>[];
  let failure: unknown;
  for (const cluster of candidates) {
    try {
      return await openSession(context, dependencies, cluster, { server, thumbprint: cluster.spec.thumbprint });
    } catch (error) {
      failure ??= error;
    }
  }
  try {
    return await openSession(context, dependencies, undefined, { server, thumbprint: undefined });
  } catch (error) {
    throw failure ?? error;
  }
}

async function report(context: ReconcileContext, zone: Zone, found: readonly State[], isReady: boolean): Promise<void> {
  const nowMs = context.clock.now();
  const after = edit(zone, (draft) => {
    for (const state of found)
      setBothConditions(draft, { oldType: oldTypes[state.type] ?? state.type, ...state }, nowMs);
    draft.status ??= {};
    draft.status.ready = isReady;
    const summary = summaryCondition(draft as Conditioned, ready, { types, strategy: { reasonOf } });
    setCondition(draft as ConditionTarget, summary, nowMs);
    setV1beta1Summary(draft as V1beta1Target, { types: types.map((type) => oldTypes[type] ?? type) }, nowMs);
  });
  const problem = found.find(({ status }) => status === 'False');
  await context.change({
    verb: 'status',
    resource: vsphereDeploymentZones,
    before: zone,
    after,
    ownedConditions,
    reason: problem?.reason ?? reasons.ready,
    message: problem?.message ?? 'The zone and its failure domain are valid',
  });
}

function domainOf({ sources }: ReconcileContext, zone: Zone): Frozen<VSphereFailureDomain> | undefined {
  return sources.sourceFor(vsphereFailureDomains).get({ namespace: '', name: zone.spec.failureDomain });
}

/** Deletes a zone. Waits while machines are in it. The failure domain is deleted together with its last zone. */
async function removeZone(context: ReconcileContext, zone: Zone): Promise<Outcome> {
  const users = context.sources
    .sourceFor(machines)
    .byIndex(zoneNameIndex, zone.metadata.name ?? '')
    .filter((machine) => !isDeleting(machine));
  if (users.length > 0) {
    const names = users.map((machine) => keyText(keyOf(machine))).sort();
    const failure = new Error(`Machines in this zone: ${joinNames(names)}; delete them or move them to another zone`);
    const states = types.map(
      (type): State => ({
        type,
        status: 'False',
        reason: reasons.deleting,
        message: failure.message,
        old: [reasons.deleting, 'Info'],
      }),
    );
    await report(context, zone, states, zone.status?.ready ?? false);
    return retry(failure);
  }
  const domain = domainOf(context, zone);
  if (domain !== undefined) {
    const own = ownerReference(zone);
    const after = edit(domain, (draft) => removeOwnerReference(draft.metadata, own));
    const cause = {
      reason: 'ZoneDeleted',
      message: `VSphereDeploymentZone ${zone.metadata.name ?? ''} no longer uses the failure domain`,
    };
    await context.change({ verb: 'patch', resource: vsphereFailureDomains, before: domain, after, ...cause });
    const others = (domain.metadata.ownerReferences ?? []).filter((reference) => !isSameOwner(reference, own));
    if (after !== domain && others.length === 0)
      await context.change({ verb: 'delete', resource: vsphereFailureDomains, key: keyOf(domain), ...cause });
  }
  await releaseFinalizer(context, vsphereDeploymentZones, zone, finalizer);
  return done();
}

/** Joins names to a list such as `a, b and c`. */
function joinNames(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
