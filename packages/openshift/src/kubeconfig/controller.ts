import { labels } from '@slipway/cluster-api';
import { deepEqual, formatTime, type Frozen } from '@slipway/kube';
import { type Change, type Controller, edit, type Secret, secrets } from '@slipway/runtime';
import { concerns, createReportingController } from '../cluster-operator/report.js';
import { namespaces, tokenSecret } from '../names.js';
import { kubeconfigSecret, refreshAnnotation, tokenAgeMs, tokenAgeMsMax } from './kubeconfig.js';

export interface KubeconfigOptions {
  readonly version: string;
  /** URL of the API server for controllers in the cluster. */
  readonly server: string;
}

const tokenKey = { namespace: namespaces.clusterApi, name: tokenSecret };
const missingMs = 60_000;

export function createKubeconfigController({ version, server }: KubeconfigOptions): Controller {
  return createReportingController({
    name: 'KubeconfigController',
    version,
    watches: [
      concerns(
        secrets,
        ({ namespace, name }) =>
          namespace === namespaces.clusterApi && (name === tokenSecret || name.endsWith('-kubeconfig')),
      ),
    ],
    async run({ infraName }, context) {
      const { sources, clock } = context;
      const source = sources.sourceFor(secrets);
      const token = source.get(tokenKey);
      if (token === undefined)
        return { type: 'waiting', ms: missingMs, message: `Secret ${tokenKey.namespace}/${tokenKey.name}` };
      const ageMs = tokenAgeMs(token, clock.now());
      if (ageMs >= tokenAgeMsMax) {
        await context.change(refreshChange(token, clock.now()));
        return { type: 'progressing', message: 'Waiting for a new token' };
      }
      const desired = kubeconfigSecret(token, infraName, server);
      // The existing kubeconfig is kept until there is a new token.
      if (desired === undefined) return { type: 'waiting', message: 'a token for the controllers' };
      const existing = source.get({ namespace: namespaces.clusterApi, name: desired.metadata.name ?? '' });
      await context.changeAll(kubeconfigChanges(desired, existing));
      return { type: 'success', ms: tokenAgeMsMax - ageMs };
    },
  });
}

/**
 * Returns a change that empties the token Secret, so that it is filled again. It is not deleted: the release would create it
 * again only with the next upgrade.
 */
function refreshChange(token: Frozen<Secret>, nowMs: number): Change {
  const after = edit(token, (draft) => {
    draft.data = {};
    draft.metadata.annotations = { ...draft.metadata.annotations, [refreshAnnotation]: formatTime(nowMs) };
  });
  const message = `Cleared the data of Secret ${tokenKey.name} to get a new token`;
  return { verb: 'patch', resource: secrets, before: token, after, reason: 'TokenExpiring', message };
}

function kubeconfigChanges(desired: Secret, existing: Frozen<Secret> | undefined): readonly Change[] {
  const { name = '' } = desired.metadata;
  const resource = secrets;
  if (existing === undefined) {
    const message = `Created Secret ${name} with a kubeconfig for the controllers`;
    return [{ verb: 'create', resource, object: desired, reason: 'KubeconfigMissing', message }];
  }
  const isSame =
    deepEqual(existing.data, desired.data) &&
    existing.metadata.labels?.[labels.clusterName] === desired.metadata.labels?.[labels.clusterName];
  if (isSame) return [];
  const after = edit(existing, (draft) => {
    draft.data = desired.data ?? {};
    draft.metadata.labels = { ...draft.metadata.labels, ...desired.metadata.labels };
  });
  const message = `Updated the kubeconfig in Secret ${name}`;
  return [{ verb: 'patch', resource, before: existing, after, reason: 'KubeconfigChanged', message }];
}
