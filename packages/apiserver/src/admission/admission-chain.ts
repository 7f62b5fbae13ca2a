import type { Disposable } from '@slipway/base';
import type { Admission, AdmissionPlugin, AdmissionRequest, MutationRound } from '../contract/index.js';

/**
 * Upstream's order of admission plugins. Plugins run in this order regardless of the order in which they are added. Plugins that
 * upstream does not have (in-process kinds add them) run in the position of MutatingAdmissionWebhook.
 */
const order = [
  'NamespaceLifecycle',
  'LimitRanger',
  'ServiceAccount',
  'NodeRestriction',
  'TaintNodesByCondition',
  'PodSecurity',
  'Priority',
  'DefaultTolerationSeconds',
  'DefaultStorageClass',
  'StorageObjectInUseProtection',
  'PersistentVolumeClaimResize',
  'RuntimeClass',
  'CertificateApproval',
  'CertificateSigning',
  'CertificateSubjectRestriction',
  'DefaultIngressClass',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
  'ResourceQuota',
];

const rankOf = new Map(order.map((name, index) => [name, index]));
const webhookRank = order.indexOf('MutatingAdmissionWebhook');

/** Runs the admission plugins for every write, in the order above. In-process kinds add and remove their plugins at run time. */
export class AdmissionChain implements Admission {
  #plugins: readonly AdmissionPlugin[] = [];

  add(plugin: AdmissionPlugin): Disposable {
    this.#plugins = [...this.#plugins, plugin].sort((left, right) => rank(left) - rank(right));
    return { dispose: () => void (this.#plugins = this.#plugins.filter((other) => other !== plugin)) };
  }

  mutates(request: AdmissionRequest): boolean {
    return this.#plugins.some((plugin) => plugin.mutate !== undefined && plugin.handles(request));
  }

  async mutate(request: AdmissionRequest): Promise<void> {
    const round = new Round();
    await this.#mutateOnce(request, round);
    if (!round.isRequested) return;
    round.repeated = true;
    await this.#mutateOnce(request, round);
  }

  async validate(request: AdmissionRequest): Promise<void> {
    for (const plugin of this.#plugins) {
      if (plugin.validate !== undefined && plugin.handles(request)) await plugin.validate(request);
    }
  }

  release(request: AdmissionRequest): void {
    for (const plugin of this.#plugins) {
      if (plugin.release !== undefined && plugin.handles(request)) plugin.release(request);
    }
  }

  async #mutateOnce(request: AdmissionRequest, round: MutationRound): Promise<void> {
    for (const plugin of this.#plugins) {
      if ((plugin.refuse === undefined && plugin.mutate === undefined) || !plugin.handles(request)) continue;
      if (!round.repeated) await plugin.refuse?.(request);
      await plugin.mutate?.(request, round);
    }
  }
}

function rank(plugin: AdmissionPlugin): number {
  return rankOf.get(plugin.name) ?? webhookRank;
}

class Round implements MutationRound {
  repeated = false;
  isRequested = false;
  readonly memory = new Map<string, unknown>();

  repeat(): void {
    this.isRequested = true;
  }
}
