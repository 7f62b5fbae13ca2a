/** A deliberately broken source line. The simulation must detect it. */
export interface Mutation {
  readonly name: string;
  /** The bug, as a reviewer would describe it. */
  readonly bug: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** Command-line options with which the simulation detects the bug, usually with the first seed. */
  readonly detectedBy: string;
}

export const mutations: readonly Mutation[] = [
  {
    name: 'acknowledge-before-flush',
    bug: 'a write is acknowledged before it is on disk',
    file: 'packages/apiserver/src/storage/log-journal.ts',
    find: '    await this.#file.sync();\n',
    replace: '    void this.#file.sync().catch(() => undefined);\n',
    detectedBy: '--seeds 5..16 --clusters 1 --minutes 10',
  },
  {
    name: 'skipped-finalizer',
    bug: 'infrastructure is created without a finalizer, so that it is never deleted',
    file: 'packages/cluster-api/src/toolkit/open-reconcile.ts',
    find: '    if (finalizer !== undefined && !isDeleting(plain)) addFinalizer(draft.metadata, finalizer);\n',
    replace: '',
    detectedBy: '--seeds 1..3 --clusters 1 --minutes 5',
  },
  {
    name: 'stale-cache',
    bug: 'a reconcile does not wait until the caches contain its previous writes',
    file: 'packages/runtime/src/controller/running-controller.ts',
    find: '    if (context.writes.length > 0) this.#ledger.close(text, context.writes, context.clock.monotonic());\n',
    replace: '',
    detectedBy: '--seeds 1..6 --clusters 2 --minutes 10 --scenario lag',
  },
  {
    name: 'missing-owner',
    bug: 'a MachineSet has no owner reference to its MachineDeployment',
    file: 'packages/cluster-api/src/machine-deployment/desired-machine-set.ts',
    find: '      ownerReferences: [ownerReferenceOf(deployment)],\n',
    replace: '',
    detectedBy: '--seeds 1..3 --clusters 1 --minutes 5',
  },
  {
    name: 'forgotten-conflict',
    bug: 'a patch is not retried after a conflict',
    file: 'packages/runtime/src/controller/running-controller.ts',
    find: "    if (verdict === 'retry') {\n",
    replace: "    if (verdict === 'retry' && (error as { reason?: string }).reason !== 'Conflict') {\n",
    detectedBy: '--seeds 1..4 --clusters 2 --minutes 4 --no-resync --scenario refusals',
  },
  {
    name: 'open-fence',
    bug: 'a manager acts on an expired lease',
    file: 'packages/runtime/src/leader-election/lease-lock.ts',
    find: '    return !this.#resigned && this.#options.clock.monotonic() < this.#deadline;\n',
    replace: '    return !this.#resigned;\n',
    detectedBy: '--seeds 1..4 --clusters 1 --minutes 3 --scenario takeovers',
  },
  {
    name: 'late-fence',
    bug: 'a manager writes for longer than its lease lasts',
    file: 'packages/runtime/src/leader-election/lease-lock.ts',
    find: '    this.#deadline = startedAt + times.renewDeadlineMs;\n',
    replace: '    this.#deadline = startedAt + 5 * times.renewDeadlineMs;\n',
    detectedBy: '--seeds 1..6 --clusters 2 --minutes 8 --scenario takeovers',
  },
  {
    name: 'unpublished-change',
    bug: 'a change is made and not published to the change feed',
    file: 'packages/runtime/src/change/change-executor.ts',
    find: '    feed?.publish(record);\n',
    replace: '',
    detectedBy: '--seeds 1..1 --clusters 1 --minutes 5',
  },
  {
    name: 'quorum-off-by-one',
    bug: 'half of the members count as a quorum',
    file: 'packages/kubeadm/src/etcd/etcd-target.ts',
    find: '  return Math.floor(votingMembers / 2) + 1;\n',
    replace: '  return Math.floor(votingMembers / 2);\n',
    detectedBy: '--seeds 1..4 --clusters 4 --minutes 16 --scenario impatience',
  },
  {
    name: 'member-stays',
    bug: 'a control plane machine is deleted before its etcd member is removed',
    file: 'packages/kubeadm/src/control-plane/desired-machine.ts',
    find: "        [controlPlaneAnnotations.preTerminateCleanup]: '',\n",
    replace: '',
    detectedBy: '--seeds 2..6 --clusters 2 --minutes 16 --scenario impatience',
  },
  {
    name: 'lost-history',
    bug: 'a watch resumes from a compacted resource version',
    file: 'packages/runtime/src/informer/reflector.ts',
    find: '      this.#resourceVersion = undefined;\n      return this.#restart.afterGone();\n',
    replace: '      return this.#restart.afterGone();\n',
    detectedBy: '--seeds 1..4 --clusters 2 --minutes 4 --no-resync --scenario refusals',
  },
  {
    name: 'forgotten-key',
    bug: 'a key that changes while it is reconciled is not reconciled again',
    file: 'packages/runtime/src/queue/work-queue.ts',
    find: '    if (again === undefined || this.#closed) this.#drop(entry);\n',
    replace: '    if (again === undefined || again.readyAt <= now || this.#closed) this.#drop(entry);\n',
    detectedBy: '--seeds 2..6 --clusters 1 --minutes 15',
  },
  {
    name: 'no-retry',
    bug: 'a failed reconcile is not retried',
    file: 'packages/runtime/src/controller/running-controller.ts',
    find: '      const afterMs = this.queue.addRateLimited(text, { priority: this.queue.priorityOf(text) });\n      const level',
    replace: '      const afterMs = 0;\n      const level',
    detectedBy: '--seeds 1..4 --clusters 2 --minutes 4 --no-resync --scenario refusals',
  },
  {
    name: 'garbage-stays',
    bug: 'dependents of a deleted object are not checked',
    file: 'packages/apiserver/src/controllers/garbage-collector/garbage-collector.ts',
    find: '    for (const key of this.#index.dependentsOf(uid)) this.#enqueue(key);\n',
    replace: '    for (const key of this.#index.dependentsOf(uid)) if (key.endsWith("0")) this.#enqueue(key);\n',
    detectedBy: '--seeds 1..3 --clusters 1 --minutes 5',
  },
  {
    name: 'silent-condition',
    bug: 'a condition is False without a message',
    file: 'packages/cluster-api/src/toolkit/conditions/merge-strategy.ts',
    find: '  return { status, reason: (strategy.reasonOf ?? genericReason)(groups), message };\n',
    replace:
      '  return { status, reason: (strategy.reasonOf ?? genericReason)(groups), message: message.slice(0, 0) };\n',
    detectedBy: '--seeds 17..20 --clusters 1 --minutes 15',
  },
  {
    name: 'published-too-early',
    bug: 'a refused write stays visible',
    file: 'packages/apiserver/src/storage/commit-queue.ts',
    find: '        this.#finish(refused, (write) => write.failed(failure));\n',
    replace: '        this.#finish(refused, (write) => write.published());\n',
    detectedBy: '--seeds 13..16 --clusters 1 --minutes 15',
  },
];
