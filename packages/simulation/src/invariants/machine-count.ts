import type { ObjectStore } from '@slipway/apiserver';
import { machines, machineSets } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import { kubeadmControlPlanes } from '@slipway/kubeadm';
import { Violation } from '../report/violation.js';
import type { ExecutedWrite } from '../processes/process-client.js';
import { isDeleting, objectsOf, partOf } from '../objects/object-fields.js';

/** After a scale-down, a machine that was requested just before may still be created within this time. */
const orderedMs = 30_000;
/** A control plane may have one more machine than desired during a rollout. */
const surge = 1;

interface Owner {
  desired: number;
  loweredAtMs: number;
}

/** Checks that no controller creates more machines than desired, not even temporarily. */
export class MachineCount {
  readonly #owners = new Map<string, Owner>();
  /** Until this time extra machines are allowed: a controller whose create response was lost has to create again. */
  #excusedUntilMs = 0;

  allowExtraUntil(untilMs: number): void {
    this.#excusedUntilMs = Math.max(this.#excusedUntilMs, untilMs);
  }

  executed(write: ExecutedWrite, store: ObjectStore, nowMs: number): void {
    const { object, resource } = write;
    if (object === undefined) return;
    if (resource.plural === machineSets.plural || resource.plural === kubeadmControlPlanes.plural)
      this.#noteOwner(object, nowMs);
    // A move re-creates existing objects, which is not a scale-up.
    if ((write.verb !== 'create' && write.verb !== 'apply') || write.process.startsWith('mover')) return;
    if (resource.plural === machines.plural && nowMs > this.#excusedUntilMs) this.#check(object, store, nowMs);
  }

  #noteOwner(object: Frozen<KubeObject>, nowMs: number): void {
    const uid = object.metadata.uid ?? '';
    const desired = partOf<{ replicas?: number }>(object, 'spec').replicas ?? 1;
    const known = this.#owners.get(uid);
    if (known === undefined) this.#owners.set(uid, { desired, loweredAtMs: Number.NEGATIVE_INFINITY });
    else {
      if (desired < known.desired) known.loweredAtMs = nowMs;
      known.desired = desired;
    }
  }

  #check(machine: Frozen<KubeObject>, store: ObjectStore, nowMs: number): void {
    const controller = machine.metadata.ownerReferences?.find((reference) => reference.controller === true);
    const owner = this.#owners.get(controller?.uid ?? '');
    if (controller === undefined || owner === undefined || nowMs - owner.loweredAtMs < orderedMs) return;
    const siblings = objectsOf(store, machines).filter(
      (other) =>
        !isDeleting(other) && other.metadata.ownerReferences?.some(({ uid }) => uid === controller.uid) === true,
    );
    const most = owner.desired + (controller.kind === 'MachineSet' ? 0 : surge);
    if (siblings.length <= most) return;
    const names = siblings.map(({ metadata }) => metadata.name ?? '').join(', ');
    throw new Violation('no surplus machine', `${controller.kind} ${controller.name} wants ${owner.desired}: ${names}`);
  }
}
