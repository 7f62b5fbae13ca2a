import type { Clock, Random } from '@slipway/base';
import { ensureList, type Fields, type Frozen, itemsOf, type KubeObject, randomSuffix, textOf } from '@slipway/kube';
import type { AdmissionPlugin, AdmissionRequest, Store } from '../../contract/index.js';
import { forbiddenRequestOf } from '../refuse.js';
import { containersOf, specOf, writes } from './pod-request.js';

export interface ServiceAccountOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
}

const mirrorAnnotation = 'kubernetes.io/config.mirror';
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const volumePrefix = 'kube-api-access-';
const accountDefault = 'default';
const accountWaitMs = 1_000;
/**
 * Lifetime of injected tokens. Like upstream, one hour and seven seconds: this distinguishes them from explicitly requested
 * tokens.
 */
const tokenSeconds = 3_607;

/** Sets the ServiceAccount of pods, `default` unless specified, and mounts its token unless automounting is disabled. */
export function serviceAccount(options: ServiceAccountOptions): AdmissionPlugin {
  return {
    name: 'ServiceAccount',
    handles: (request) => writes(request, 'pods', ['CREATE']),
    async mutate(request) {
      const pod = request.object;
      if (pod === undefined || Object.hasOwn(pod.metadata.annotations ?? {}, mirrorAnnotation)) return;
      const spec = specOf(pod);
      const name = textOf(spec['serviceAccountName']) || accountDefault;
      spec['serviceAccountName'] = name;
      spec['serviceAccount'] = name;
      const account = await findAccount(options, request, name);
      if (mountsToken(spec, account)) mountToken(spec, options.random);
      if (itemsOf(spec['imagePullSecrets']).length === 0 && itemsOf(account['imagePullSecrets']).length > 0)
        spec['imagePullSecrets'] = itemsOf(account['imagePullSecrets']).map((secret) => ({ ...secret }));
    },
    validate(request) {
      const pod = request.object;
      if (pod === undefined || !Object.hasOwn(pod.metadata.annotations ?? {}, mirrorAnnotation)) return;
      if (textOf(specOf(pod)['serviceAccountName']) !== '')
        throw forbiddenRequestOf(request, 'a mirror pod may not reference service accounts');
    },
  };
}

async function findAccount(
  options: ServiceAccountOptions,
  request: AdmissionRequest,
  name: string,
): Promise<Frozen<KubeObject>> {
  const { namespace } = request;
  const find = (): Frozen<KubeObject> | undefined =>
    options.store.get({ resource: 'serviceaccounts', namespace, name })?.object;
  let found = find();
  if (found === undefined && name === accountDefault) {
    await waitForAccount(options, namespace, request.signal);
    found = find();
  }
  if (found !== undefined) return found;
  throw forbiddenRequestOf(
    request,
    `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`,
  );
}

/**
 * Waits for the `default` ServiceAccount of the namespace, for a limited time. A controller creates it soon after the namespace.
 */
function waitForAccount(options: ServiceAccountOptions, namespace: string, signal: AbortSignal): Promise<void> {
  const { store, clock } = options;
  return new Promise((resolve) => {
    const finish = (): void => {
      timer.cancel();
      watch.dispose();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = clock.setTimer(accountWaitMs, finish);
    signal.addEventListener('abort', finish, { once: true });
    const range = { resource: 'serviceaccounts', namespace, name: accountDefault };
    const watch = store.watch(range, store.revision, () => queueMicrotask(finish));
  });
}

function mountsToken(spec: Fields, account: Frozen<KubeObject>): boolean {
  const [pod, own] = [spec['automountServiceAccountToken'], account['automountServiceAccountToken']];
  if (typeof pod === 'boolean') return pod;
  return own !== false;
}

function mountToken(spec: Fields, random: Random): void {
  const unmounted = containersOf(spec).filter(
    (container) => !itemsOf(container['volumeMounts']).some((mount) => mount['mountPath'] === mountPath),
  );
  if (unmounted.length === 0) return;
  const known = itemsOf(spec['volumes']).find((volume) => textOf(volume['name']).startsWith(volumePrefix));
  const name = textOf(known?.['name']) || volumePrefix + randomSuffix(random, 5);
  if (known === undefined) ensureList(spec, 'volumes').push({ name, projected: tokenSources() });
  for (const container of unmounted) ensureList(container, 'volumeMounts').push({ name, readOnly: true, mountPath });
}

function tokenSources(): Fields {
  return {
    defaultMode: 0o644,
    sources: [
      { serviceAccountToken: { expirationSeconds: tokenSeconds, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
  };
}
