import { labels } from '@slipway/cluster-api';
import { deepEqual, formatTime } from '@slipway/kube';
import { type Controller, edit, secrets } from '@slipway/runtime';
import { concerns, createReportingController } from '../cluster-operator/report.js';
import { namespaces, tokenSecret } from '../names.js';
import { kubeconfigSecret, refreshAnnotation, tokenAgeMs, tokenAgeMsMax } from './kubeconfig.js';

export interface KubeconfigOptions {
  readonly version: string;
  /** Of the API server as controllers in the cluster reach it. */
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
        // Emptied, not deleted: whoever shipped it would only make it again with the next release.
        const emptied = edit(token, (draft) => {
          draft.data = {};
          draft.metadata.annotations = { ...draft.metadata.annotations, [refreshAnnotation]: formatTime(clock.now()) };
        });
        await context.change({
          verb: 'patch',
          resource: secrets,
          before: token,
          after: emptied,
          reason: 'TokenExpiring',
          message: `Emptied Secret ${tokenKey.name} to get a new token`,
        });
        return { type: 'progressing', message: 'the token is being made anew' };
      }
      const wanted = kubeconfigSecret(token, infraName, server);
      // The kubeconfig that there is stays as it is until there is a token for a new one.
      if (wanted === undefined) return { type: 'waiting', message: 'a token for the controllers' };
      const there = source.get({ namespace: namespaces.clusterApi, name: wanted.metadata.name ?? '' });
      const name = wanted.metadata.name ?? '';
      if (there === undefined) {
        const message = `Created Secret ${name} with a kubeconfig for the controllers`;
        await context.change({
          verb: 'create',
          resource: secrets,
          object: wanted,
          reason: 'KubeconfigMissing',
          message,
        });
      } else if (!deepEqual(there.data, wanted.data) || there.metadata.labels?.[labels.clusterName] !== infraName) {
        const after = edit(there, (draft) => {
          draft.data = wanted.data ?? {};
          draft.metadata.labels = { ...draft.metadata.labels, ...wanted.metadata.labels };
        });
        await context.change({
          verb: 'patch',
          resource: secrets,
          before: there,
          after,
          reason: 'KubeconfigChanged',
          message: `Updated the kubeconfig in Secret ${name}`,
        });
      }
      return { type: 'success', ms: tokenAgeMsMax - ageMs };
    },
  });
}
