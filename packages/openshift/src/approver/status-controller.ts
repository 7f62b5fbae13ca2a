import { deepEqual } from '@slipway/kube';
import { type ControllerSet, type CreateChange, createController, done, edit, type Resource } from '@slipway/runtime';
import { setOpenShiftCondition } from '../cluster-operator/aggregate.js';
import { type ClusterOperator, clusterOperators } from '../api/index.js';
import { namespaces } from '../names.js';

const key = { namespace: '', name: 'machine-approver' };

/** Reports availability and version of the approver in ClusterOperator `machine-approver`. */
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
              // The controller is enqueued at the start, because its object may not exist yet.
              (enqueue) => {
                enqueue(key);
                return { dispose: () => undefined };
              },
            ],
            async reconcile(_key, context) {
              const { sources, clock } = context;
              const existing = sources.sourceFor(clusterOperators).get(key) ?? (await context.change(creation()));
              const after = edit(existing, (draft) => {
                const setCondition = (type: string, status: 'True' | 'False'): void =>
                  setOpenShiftCondition(draft, { type, status, reason: 'AsExpected', message: '' }, clock.now());
                setCondition('Available', 'True');
                setCondition('Progressing', 'False');
                setCondition('Degraded', 'False');
                setCondition('Upgradeable', 'True');
                draft.status ??= {};
                draft.status.versions = [{ name: 'operator', version }];
                draft.status.relatedObjects = [
                  { group: '', resource: 'namespaces', name: namespaces.approver },
                  { group: 'certificates.k8s.io', resource: 'certificatesigningrequests', name: '' },
                ];
              });
              if (!deepEqual(existing.status, after.status))
                await context.change({
                  verb: 'status',
                  resource: clusterOperators,
                  before: existing,
                  after,
                  ownedConditions: 'all',
                  reason: 'StatusUpdated',
                  message: 'Updated status',
                });
              return done();
            },
          }),
      },
    ],
  };
}

function creation(): CreateChange<ClusterOperator> {
  return {
    verb: 'create',
    resource: clusterOperators,
    object: { apiVersion: 'config.openshift.io/v1', kind: 'ClusterOperator', metadata: { name: key.name }, spec: {} },
    reason: 'ClusterOperatorMissing',
    message: `Created ClusterOperator ${key.name} to report the status of the approver`,
  };
}
