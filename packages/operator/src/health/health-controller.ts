import { labels } from '@slipway/cluster-api';
import { labelOf } from '@slipway/clusterctl';
import { type Frozen, type KubeObject, labelSelectorFromObject } from '@slipway/kube';
import {
  type ConditionTarget,
  type Controller,
  type ControllerContext,
  createController,
  type Deployment,
  deployments,
  done,
  edit,
  type Index,
  isConditionTrue,
  isDeleting,
  mapToOwner,
  type NewCondition,
  type ObjectKey,
  type Outcome,
  pods,
  type ReconcileContext,
  type Resource,
  setCondition,
  wait,
  watch,
} from '@slipway/runtime';
import { conditionTypes, type FrozenProvider, type ProviderObject, readyReasons } from '../api/index.js';
import { embeddedFor } from '../provider/run-embedded.js';
import type { OperatorDependencies } from '../provider/dependencies.js';
import { podProblem, readinessOf } from './readiness.js';

/** Sets the Ready condition of providers from the availability of their Deployments. */
export function createHealthController(
  resource: Resource<ProviderObject>,
  context: ControllerContext,
  { embedded }: Pick<OperatorDependencies, 'embedded'>,
): Controller {
  const { concurrency, watchFilter } = context;
  const toOwner = mapToOwner(resource);
  return createController<ProviderObject>({
    name: healthControllerName(resource),
    for: resource,
    filter: watchFilter,
    concurrency,
    watches: [watch(deployments, { map: (deployment) => toOwner(deployment as Frozen<KubeObject>) })],
    reconcile: (key, reconcileContext) => reconcileHealth(resource, key, reconcileContext, embedded),
  });
}

export function healthControllerName({ kind }: Resource): string {
  return `healthcheck-${kind.toLowerCase()}`;
}

/** Polling interval for the reason why a pod does not start, because pods are not watched. */
const pollMs = 15_000;

async function reconcileHealth(
  resource: Resource<ProviderObject>,
  key: ObjectKey,
  context: ReconcileContext,
  embedded: OperatorDependencies['embedded'],
): Promise<Outcome> {
  const { sources, clock } = context;
  const provider = sources.sourceFor(resource).get(key);
  if (provider === undefined || isDeleting(provider) || !isInstalled(provider)) return done();
  // The provider controller sets the Ready condition of embedded providers, which have no Deployments.
  if (embeddedFor(provider, embedded) !== undefined) return done();
  const own = deploymentsOf(provider, context);
  const found = readinessOf(own, { runsDeployments: embedded === undefined });
  const ready = found.status === 'True' ? found : await explained(found, own, context);
  const after = edit(provider, (draft) => setCondition(draft as ConditionTarget, ready, clock.now()));
  const ownedConditions = [conditionTypes.ready];
  const { reason, message = '' } = ready;
  await context.change({ verb: 'status', resource, before: provider, after, ownedConditions, reason, message });
  if (ready.status === 'True') return done();
  // Without nodes there are no pods to poll. An update of the Deployment triggers the next reconcile.
  if (reason === readyReasons.noController) return wait({ reason, message });
  return wait({ ms: pollMs, reason, message });
}

/** Returns whether the requested version is installed. False during an upgrade. */
function isInstalled(provider: FrozenProvider): boolean {
  const { installedVersion } = provider.status ?? {};
  return (
    isConditionTrue(provider, conditionTypes.providerInstalled) &&
    installedVersion !== undefined &&
    installedVersion === provider.spec?.version
  );
}

const ownerIndex: Index<Deployment> = {
  name: 'provider',
  valuesOf: ({ metadata }) => {
    const label = metadata.labels?.[labels.provider];
    return label === undefined ? [] : [`${metadata.namespace ?? ''}/${label}`];
  },
};

function deploymentsOf(
  { kind, metadata }: FrozenProvider,
  { sources }: ReconcileContext,
): readonly Frozen<Deployment>[] {
  const { name = '', namespace = '', uid } = metadata;
  return sources
    .sourceFor(deployments)
    .byIndex(ownerIndex, `${namespace}/${labelOf({ type: kind, name })}`)
    .filter((deployment) => deployment.metadata.ownerReferences?.some((owner) => owner.uid === uid));
}

async function explained(
  found: NewCondition,
  own: readonly Frozen<Deployment>[],
  { read, signal }: ReconcileContext,
): Promise<NewCondition> {
  for (const { metadata, spec } of own) {
    const matchLabels = spec?.selector.matchLabels;
    if (matchLabels === undefined) continue;
    const labelSelector = labelSelectorFromObject({ matchLabels }).toString();
    const { items } = await read.list(pods, { namespace: metadata.namespace ?? '', labelSelector, signal });
    const problem = podProblem(items);
    if (problem !== undefined) return { ...found, message: `${found.message ?? ''}; ${problem}` };
  }
  return found;
}
