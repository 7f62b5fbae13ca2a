import type { Frozen } from '@slipway/kube';
import {
  type Controller,
  type ControllerContext,
  createController,
  done,
  edit,
  type Index,
  isDeleting,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  retry,
  secrets,
  setCondition,
  type Watch,
} from '@slipway/runtime';
import { type ExtensionConfig, extensionConfigs, otherReasons, runtimeAnnotations } from '../api/index.js';
import { openReconcile, setV1beta1Condition, type V1beta1Target } from '../toolkit/index.js';
import type { ExtensionDependencies } from './call-extension.js';
import { discoverExtension, type ExtensionHandler, type ObservedExtension } from './discover-extension.js';
import { ExtensionError } from './extension-error.js';
import { extensionDependencies } from './extension-dependencies.js';
import type { ExtensionTransport } from './https-transport.js';

/** Indexes ExtensionConfigs by the Secret that holds their CA bundle: `namespace/name`. */
const authorityIndex: Index<ExtensionConfig> = {
  name: 'CA Secret',
  valuesOf: ({ metadata }) => {
    const name = metadata.annotations?.[runtimeAnnotations.injectCaFromSecret];
    return name === undefined ? [] : [name];
  },
};

export function createExtensionConfigController(
  context: ControllerContext,
  transport?: ExtensionTransport,
): Controller {
  const { concurrency, watchFilter } = context;
  const dependencies = extensionDependencies(context, transport);
  return createController({
    name: 'extensionconfig',
    for: extensionConfigs,
    filter: watchFilter,
    concurrency,
    reconcile: (key, reconcileContext) => reconcileExtension(key, reconcileContext, dependencies),
  });
}

async function reconcileExtension(
  key: ObjectKey,
  context: ReconcileContext,
  dependencies: ExtensionDependencies,
): Promise<Outcome> {
  const found = context.sources.sourceFor(extensionConfigs).get(key);
  if (found === undefined || isDeleting(found)) return done();
  if (!(await openReconcile(context, extensionConfigs, found, {}))) return done();
  let config: ObservedExtension = found;
  let handlers: ExtensionHandler[] | undefined;
  let failure: Error | undefined;
  try {
    config = await injectAuthority(context, found);
    handlers = await discoverExtension(dependencies, config, context.signal);
  } catch (error) {
    if (!(error instanceof ExtensionError)) throw error;
    failure = error;
  }
  await writeStatus(context, config, handlers, failure);
  return failure === undefined ? done() : retry(failure);
}

/** Copies the CA bundle of an extension from the Secret that an annotation names. */
async function injectAuthority(context: ReconcileContext, config: ObservedExtension): Promise<ObservedExtension> {
  const name = config.metadata.annotations?.[runtimeAnnotations.injectCaFromSecret];
  if (name === undefined) return config;
  const [namespace = '', secretName = '', ...rest] = name.split('/');
  const failed = 'failed to reconcile caBundle';
  if (namespace === '' || secretName === '' || rest.length > 0) {
    const message = `${failed}: secret name "${name}" must be in the form <namespace>/<name>`;
    throw new ExtensionError('InvalidConfiguration', message);
  }
  // Watch Secrets only if an annotation references one.
  const source = await context.follow({ resource: secrets as Watch['resource'], map: toExtensions(context) });
  const secret = source.get({ namespace, name: secretName }) as Frozen<{ data?: Record<string, string> }> | undefined;
  if (secret === undefined) {
    throw new ExtensionError('InvalidConfiguration', `${failed}: failed to get secret "${name}": it does not exist`);
  }
  const caBundle = secret.data?.['ca.crt'];
  if (caBundle === undefined) {
    throw new ExtensionError('InvalidConfiguration', `${failed}: secret ${name} does not contain a "ca.crt" entry`);
  }
  if (config.spec.clientConfig.caBundle === caBundle) return config;
  const after = edit(config, (draft) => {
    draft.spec.clientConfig.caBundle = caBundle;
  });
  const message = `Set spec.clientConfig.caBundle from Secret ${name}`;
  return context.change({
    verb: 'patch',
    resource: extensionConfigs,
    before: config,
    after,
    reason: 'CABundleChanged',
    message,
  });
}

function toExtensions({ sources }: ReconcileContext): Watch['map'] {
  return ({ metadata }) =>
    sources
      .sourceFor(extensionConfigs)
      .byIndex(authorityIndex, `${metadata.namespace ?? ''}/${metadata.name ?? ''}`)
      .map((config) => ({ namespace: '', name: config.metadata.name ?? '' }));
}

async function writeStatus(
  context: ReconcileContext,
  config: ObservedExtension,
  handlers: ExtensionHandler[] | undefined,
  failure: Error | undefined,
): Promise<void> {
  const nowMs = context.clock.now();
  const type = 'Discovered';
  const message = failure === undefined ? '' : `Error in discovery: ${failure.message}`;
  const after = edit(config, (draft) => {
    draft.status ??= {};
    if (handlers !== undefined) draft.status.handlers = handlers;
    const old = draft as V1beta1Target;
    if (failure === undefined) {
      setCondition(draft, { type, status: 'True', reason: otherReasons.discovered }, nowMs);
      setV1beta1Condition(old, { type, status: 'True' }, nowMs);
    } else {
      setCondition(draft, { type, status: 'False', reason: otherReasons.notDiscovered, message }, nowMs);
      const cause = { reason: 'DiscoveryFailed', severity: 'Error', message } as const;
      setV1beta1Condition(old, { type, status: 'False', ...cause }, nowMs);
    }
  });
  await context.change({
    verb: 'status',
    resource: extensionConfigs,
    before: config,
    after,
    ownedConditions: [type, 'Paused'],
    reason: failure === undefined ? otherReasons.discovered : otherReasons.notDiscovered,
    message: failure === undefined ? `Discovered ${handlers?.length ?? 0} handlers` : message,
  });
}
