import { asJson, type KubeObject, parseApiVersion } from '@slipway/kube';
import {
  configMaps,
  type Controller,
  customResourceDefinitions,
  deployments,
  keyOf,
  type ReconcileContext,
  ReconcileError,
} from '@slipway/runtime';
import { concerns, createReportingController } from '../cluster-operator/report.js';
import type { MeasuredResources } from '../monitoring/metrics.js';
import { namespaces, operatorName } from '../names.js';
import { infraClusterProtection, migrationPolicyObjects } from '../admission-policies/policies.js';
import { approverObjects } from './approver-manifests.js';
import { imagesConfigMap, readImages } from './images.js';
import { coreProviderObjects, infrastructureProviderObjects, type ReleaseAssets } from './providers.js';

export interface InstallOptions {
  readonly version: string;
  readonly assets: ReleaseAssets;
  readonly measured: MeasuredResources;
  readonly controllerUsers: readonly string[];
}

const operatorGroup = 'operator.cluster.x-k8s.io';

/** Creates provider objects and installs the approver. The provider operator installs the providers. */
export function createInstallController(options: InstallOptions): Controller {
  const { version, assets, measured, controllerUsers } = options;
  const isOurs = ({ namespace }: { readonly namespace: string }): boolean =>
    namespace === namespaces.clusterApi || namespace === namespaces.approver;
  return createReportingController({
    name: 'CapiInstallerController',
    version,
    watches: [
      concerns(customResourceDefinitions, ({ name }) => name.endsWith(`.${operatorGroup}`)),
      concerns(configMaps, ({ namespace }) => namespace === namespaces.clusterApi),
      concerns(deployments, isOurs),
    ],
    async run({ platform, infraName, isMigrating }, context) {
      const images = imagesFor(context, platform.provider);
      const own = { manager: images.core, proxy: images.proxy };
      await applyAll(coreProviderObjects(assets.core, own), context);
      const provider = assets.infrastructure.get(platform.provider);
      if (provider === undefined)
        throw new ReconcileError('ProviderMissing', `the release does not contain provider ${platform.provider}`, {
          retry: 'never',
        });
      const theirs = { manager: images.provider, proxy: images.proxy };
      await applyAll(infrastructureProviderObjects(platform.provider, provider, theirs), context);
      await applyAll(approverObjects(images.approver), context);
      await applyAll(infraClusterProtection(platform, infraName), context);
      if (isMigrating) await applyAll(migrationPolicyObjects(controllerUsers), context);
      await followProviders(context, measured);
      return { type: 'success' };
    },
    // The core is installed on every platform, because users may install their own infrastructure provider.
    async runUnsupported(context) {
      const images = imagesFor(context, undefined);
      await applyAll(coreProviderObjects(assets.core, { manager: images.core, proxy: images.proxy }), context);
    },
  });
}

function imagesFor({ sources }: ReconcileContext, provider: string | undefined) {
  const key = { namespace: namespaces.clusterApi, name: imagesConfigMap };
  return readImages(sources.sourceFor(configMaps).get(key), provider);
}

/** Applies the objects with server-side apply. Fields of other managers are kept. */
async function applyAll(objects: readonly KubeObject[], context: ReconcileContext): Promise<void> {
  for (const object of objects) {
    const { group, version } = parseApiVersion(object.apiVersion);
    const resource = await context.read.resourceFor({ group, version, kind: object.kind });
    if (resource === undefined)
      throw new ReconcileError('DefinitionMissing', `the CRD of ${object.kind}`, { retry: 'onChange' });
    await context.change({
      verb: 'apply',
      resource,
      key: keyOf(object),
      configuration: asJson(object),
      fieldManager: operatorName,
      reason: 'Installing',
      message: `Applied ${object.kind} ${object.metadata.name ?? ''} of the release`,
    });
  }
}

/** Watches the installed resources once they are served, so that changes by other clients are reverted. */
async function followProviders(context: ReconcileContext, measured: MeasuredResources): Promise<void> {
  for (const kind of ['CoreProvider', 'InfrastructureProvider']) {
    const resource = await context.read.resourceFor({ group: operatorGroup, kind });
    if (resource === undefined) continue;
    await context.follow(concerns(resource, ({ namespace }) => namespace === namespaces.clusterApi));
    measured.add(resource);
  }
}
