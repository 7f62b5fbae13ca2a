import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type Client,
  type ConditionTarget,
  controllerOf,
  edit,
  isDeleting,
  keyOf,
  ownerReference,
  type Resource,
  setCondition,
} from '@slipway/runtime';
import { patchObject, type TestPlane } from '@slipway/testing/plane';
import {
  type Machine,
  machineDeployments,
  machines,
  machineSets,
  nameOf,
  type ObservedMachine,
} from '../../src/index.js';
import { upToDateMessages } from '../../src/machines/index.js';
import { testConfigs, testMachines } from './provider-kinds.js';

/** Acts as the machine controller and the providers: starts and deletes machines. */
export class MachineActor {
  readonly #plane: TestPlane;
  /** Machines that never get a Node. */
  readonly broken = new Set<string>();
  /** Whether to keep deleting machines instead of removing their finalizers. */
  holdsDeleted = false;

  constructor(plane: TestPlane) {
    this.#plane = plane;
  }

  async list(): Promise<readonly ObservedMachine[]> {
    const { items } = await this.#plane.client.list(machines, { namespace: 'default' });
    return items as readonly ObservedMachine[];
  }

  /** Runs the controllers, then advances every machine by one step. Repeats this for `rounds`. */
  async act(rounds = 1): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      await this.#plane.settle();
      for (const machine of await this.list()) await this.#step(machine);
    }
    await this.#plane.settle();
  }

  async #step(machine: ObservedMachine): Promise<void> {
    const { client } = this.#plane;
    if (!isDeleting(machine)) return this.#bringUp(machine);
    if (this.holdsDeleted) return;
    for (const resource of [testMachines, testConfigs]) await deleteIfThere(client, resource, keyOf(machine));
    const freed = edit(machine, ({ metadata }) => void (metadata.finalizers = []));
    await patchObject(client, machines, machine, freed);
  }

  async #bringUp(machine: ObservedMachine): Promise<void> {
    const { client, clock } = this.#plane;
    for (const resource of [testMachines, testConfigs]) await own(client, resource, machine);
    const messages = await this.#whyOutdated(machine);
    const isUp = !this.broken.has(nameOf(machine));
    const nowMs = clock.now();
    const after = edit(machine, (draft) => {
      const target = draft as ConditionTarget;
      draft.status ??= {};
      if (isUp) draft.status.nodeRef = { name: nameOf(machine) };
      const state = isUp ? 'True' : 'False';
      for (const type of ['NodeReady', 'Ready', 'Available'])
        setCondition(target, { type, status: state, reason: isUp ? type : `Not${type}` }, nowMs);
      const upToDate = messages.length === 0;
      const reason = upToDate ? 'UpToDate' : 'NotUpToDate';
      const message = messages.join('\n');
      setCondition(target, { type: 'UpToDate', status: upToDate ? 'True' : 'False', reason, message }, nowMs);
    });
    await patchObject(client, machines, machine, after, { ownedConditions: 'all' });
  }

  async #whyOutdated(machine: ObservedMachine): Promise<readonly string[]> {
    const { client, clock } = this.#plane;
    const [{ items: sets }, { items: deployments }] = await Promise.all([
      client.list(machineSets, { namespace: 'default' }),
      client.list(machineDeployments, { namespace: 'default' }),
    ]);
    const set = sets.find(({ metadata }) => metadata.uid === controllerOf(machine)?.uid);
    const owner = set === undefined ? undefined : controllerOf(set);
    const deployment = deployments.find(({ metadata }) => metadata.uid === owner?.uid);
    return set === undefined || deployment === undefined ? [] : upToDateMessages(deployment, set, clock.now());
  }
}

/** Sets the Machine as owner of its objects, as the machine controller does. */
async function own(client: Client, resource: Resource, machine: Frozen<Machine>): Promise<void> {
  const { items } = await client.list(resource, { namespace: 'default' });
  const object = items.find((each: Frozen<KubeObject>) => each.metadata.name === nameOf(machine));
  if (object === undefined) return;
  const owned = edit(object, ({ metadata }) => {
    metadata.ownerReferences = [ownerReference(machine, { controller: true })];
  });
  await patchObject(client, resource, object, owned);
}

async function deleteIfThere(
  client: Client,
  resource: Resource,
  key: { namespace: string; name: string },
): Promise<void> {
  const { items } = await client.list(resource, { namespace: key.namespace });
  if (items.some(({ metadata }) => metadata.name === key.name)) await client.delete(resource, key);
}
