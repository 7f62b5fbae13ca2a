import { aggregateCondition, type IPAddressClaim, ipAddressClaims, ipAddresses, labels } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  addFinalizer,
  type Conditioned,
  edit,
  ensureOwnerReference,
  hasCondition,
  ownerReference,
  type ReconcileContext,
  releaseFinalizer,
} from '@slipway/runtime';
import { vsphereFinalizers } from '../../api/index.js';
import type { ClaimedAddress } from '../guest/pool-addresses.js';
import type { VmReport } from './vm-report.js';
import type { ObservedVm } from './vm-spec.js';

interface DesiredClaim {
  readonly name: string;
  readonly deviceIndex: number;
  readonly poolRef: { readonly apiGroup: string; readonly kind: string; readonly name: string };
}

function desiredClaims(vm: ObservedVm): DesiredClaim[] {
  return vm.spec.network.devices.flatMap(({ addressesFromPools = [] }, deviceIndex) =>
    addressesFromPools.map((poolRef, poolIndex) => ({
      name: `${vm.metadata.name}-${deviceIndex}-${poolIndex}`,
      deviceIndex,
      poolRef,
    })),
  );
}

/**
 * Claims an address from each pool of each device and reports the progress. Returns the addresses of each device, or undefined
 * while some are missing.
 */
export async function claimAddresses(
  context: ReconcileContext,
  report: VmReport,
): Promise<ReadonlyMap<number, readonly ClaimedAddress[]> | undefined> {
  const { vm } = report;
  const desired = desiredClaims(vm);
  if (desired.length === 0) return new Map();
  const claims: Frozen<IPAddressClaim>[] = [];
  let created = 0;
  for (const one of desired) {
    const current = context.sources
      .sourceFor(ipAddressClaims)
      .get({ namespace: vm.metadata.namespace ?? '', name: one.name });
    if (current === undefined) created += 1;
    claims.push(await ensureClaim(context, vm, one, current));
  }
  const addresses = readAddresses(context, desired, claims);
  report.claims(claimsState(claims, created, addresses !== undefined));
  return addresses;
}

async function ensureClaim(
  context: ReconcileContext,
  vm: ObservedVm,
  { name, poolRef }: DesiredClaim,
  current: Frozen<IPAddressClaim> | undefined,
): Promise<Frozen<IPAddressClaim>> {
  const clusterName = vm.metadata.labels?.[labels.clusterName];
  const ownLabels: Record<string, string> = clusterName === undefined ? {} : { [labels.clusterName]: clusterName };
  const reason = 'AddressRequired';
  if (current === undefined)
    return context.change({
      verb: 'create',
      resource: ipAddressClaims,
      object: {
        apiVersion: 'ipam.cluster.x-k8s.io/v1beta2',
        kind: 'IPAddressClaim',
        metadata: {
          name,
          namespace: vm.metadata.namespace,
          labels: ownLabels,
          finalizers: [vsphereFinalizers.addressClaim],
          ownerReferences: [ownerReference(vm)],
        },
        spec: { poolRef: { ...poolRef }, ...(clusterName === undefined ? {} : { clusterName }) },
      },
      reason,
      message: `Claimed an IP address from ${poolRef.kind} ${poolRef.name} for VSphereVM ${vm.metadata.name}`,
    });
  const after = edit(current, (draft) => {
    addFinalizer(draft.metadata, vsphereFinalizers.addressClaim);
    ensureOwnerReference(draft.metadata, ownerReference(vm));
    if (clusterName !== undefined) draft.metadata.labels = { ...draft.metadata.labels, ...ownLabels };
  });
  const message = `Set the owner, labels and finalizer of the claim of VSphereVM ${vm.metadata.name}`;
  return context.change({ verb: 'patch', resource: ipAddressClaims, before: current, after, reason, message });
}

function readAddresses(
  { sources }: ReconcileContext,
  desired: readonly DesiredClaim[],
  claims: readonly Frozen<IPAddressClaim>[],
): ReadonlyMap<number, readonly ClaimedAddress[]> | undefined {
  const found = new Map<number, ClaimedAddress[]>();
  for (const [place, { deviceIndex }] of desired.entries()) {
    const claim = claims[place];
    const name = claim?.status?.addressRef?.name;
    const address =
      name === undefined
        ? undefined
        : sources.sourceFor(ipAddresses).get({ namespace: claim?.metadata.namespace ?? '', name });
    if (address === undefined) return undefined;
    const { spec } = address;
    const list = found.get(deviceIndex) ?? [];
    list.push({ address: spec.address, prefix: spec.prefix, gateway: spec.gateway });
    found.set(deviceIndex, list);
  }
  return found;
}

function claimsState(
  claims: readonly Frozen<IPAddressClaim>[],
  created: number,
  allBound: boolean,
): Parameters<VmReport['claims']>[0] {
  if (claims.every((claim) => hasCondition(claim as Conditioned, 'Ready')) && !allBound) {
    const { message } = aggregateCondition(claims as readonly Conditioned[], 'Ready');
    return { status: 'False', reason: 'WaitingForIPAddress', message };
  }
  if (allBound) return { status: 'True', reason: 'Fulfilled' };
  if (created > 0) {
    const message = `${created}/${claims.length} claims being created`;
    return { status: 'False', reason: 'IPAddressClaimsBeingCreated', message };
  }
  const unbound = claims.filter(({ status }) => status?.addressRef === undefined).length;
  return {
    status: 'False',
    reason: 'WaitingForIPAddress',
    message: `${unbound}/${claims.length} claims being processed`,
  };
}

/** Releases the addresses of a deleted VM. Garbage collection deletes the claims with their owner. */
export async function releaseAddresses(context: ReconcileContext, vm: ObservedVm): Promise<void> {
  for (const { name } of desiredClaims(vm)) {
    const claim = context.sources.sourceFor(ipAddressClaims).get({ namespace: vm.metadata.namespace ?? '', name });
    if (claim === undefined) continue;
    await releaseFinalizer(context, ipAddressClaims, claim, vsphereFinalizers.addressClaim);
  }
}
