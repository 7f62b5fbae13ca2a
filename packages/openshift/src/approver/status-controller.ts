import { deepEqual } from '@slipway/kube';
import { type ControllerSet, createController, done, edit, patchObject, type Resource } from '@slipway/runtime';
import { setOpenShiftCondition } from '../cluster-operator/aggregate.js';
import { type ClusterOperator, clusterOperators } from '../api/index.js';
import { namespaces } from '../names.js';

const key = { namespace: '', name: 'machine-approver' };

/** Says in ClusterOperator `machine-approver` that the approver runs, and in which version. */
export function createApproverStatus(version: string): ControllerSet {
  const name = 'machineapproverstatus';
  return {
    name,
    controllers: [
      {
        name,
        create: () =>
          createController({
            name,
            for: clusterOperators as Resource<ClusterOperator>,
            filter: ({ object }) => object.metadata.name === key.name,
            triggers: [
              // Once at the start: there may be none yet.
              (enqueue) => {
                enqueue(key);
                return { dispose: () => undefined };
              },
            ],
            async reconcile(_key, { client, sources, clock, signal }) {
              const there =
                sources.sourceFor(clusterOperators).get(key) ??
                (await client.create(clusterOperators, newOperator(), { signal }));
              const after = edit(there, (draft) => {
                const said = (type: string, status: 'True' | 'False'): void =>
                  setOpenShiftCondition(draft, { type, status, reason: 'AsExpected', message: '' }, clock.now());
                said('Available', 'True');
                said('Progressing', 'False');
                said('Degraded', 'False');
                said('Upgradeable', 'True');
                draft.status ??= {};
                draft.status.versions = [{ name: 'operator', version }];
                draft.status.relatedObjects = [
                  { group: '', resource: 'namespaces', name: namespaces.approver },
                  { group: 'certificates.k8s.io', resource: 'certificatesigningrequests', name: '' },
                ];
              });
              if (!deepEqual(there.status, after.status))
                await patchObject(client, clusterOperators, there, after, { ownedConditions: 'all', signal });
              return done();
            },
          }),
      },
    ],
  };
}

function newOperator(): ClusterOperator {
  return {
    apiVersion: 'config.openshift.io/v1',
    kind: 'ClusterOperator',
    metadata: { name: key.name },
    spec: {},
  };
}
