import { describe, expect, it } from 'vitest';
import { createIn, rowOf, updateIn } from '../test-support.js';
import { daemonSets } from './daemon-set.js';
import { deployments } from './deployment.js';
import { replicaSets } from './replica-set.js';
import { statefulSets } from './stateful-set.js';

const selector = { matchLabels: { app: 'web' } };
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } };
const spec = { selector, template };

describe('Deployment', () => {
  it('gets the defaults of upstream', async () => {
    const { object, errors } = await createIn(deployments, { spec, status: { replicas: 5 } });
    expect(errors).toEqual([]);
    expect(object).toMatchObject({
      metadata: { generation: 1 },
      spec: {
        replicas: 1,
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
        template: {
          spec: {
            restartPolicy: 'Always',
            dnsPolicy: 'ClusterFirst',
            terminationGracePeriodSeconds: 30,
            schedulerName: 'default-scheduler',
            securityContext: {},
            containers: [
              {
                imagePullPolicy: 'IfNotPresent',
                terminationMessagePath: '/dev/termination-log',
                terminationMessagePolicy: 'File',
                resources: {},
              },
            ],
          },
        },
      },
      status: {},
    });
    expect(object.status).toEqual({});
  });

  it.each([
    {
      name: 'rejects a selector that does not match the template labels',
      fields: { spec: { selector: { matchLabels: { app: 'other' } }, template } },
      errors: [
        'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
      ],
    },
    {
      name: 'requires a selector',
      fields: { spec: { template } },
      errors: [
        'spec.selector: Required value',
        'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
      ],
    },
    {
      name: 'rejects an empty selector',
      fields: { spec: { selector: {}, template } },
      errors: ['spec.selector: Invalid value: {}: empty selector is invalid for deployment'],
    },
    {
      name: 'requires containers',
      fields: { spec: { selector, template: { metadata: template.metadata } } },
      errors: ['spec.template.spec.containers: Required value'],
    },
    {
      name: 'requires restartPolicy Always',
      fields: { spec: { selector, template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } } },
      errors: ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
    },
    {
      name: 'rejects maxUnavailable 0 together with maxSurge 0',
      fields: { spec: { ...spec, strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } } },
      errors: ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0'],
    },
    {
      name: 'rejects negative replicas',
      fields: { spec: { ...spec, replicas: -1 } },
      errors: ['spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
    },
  ])('$name', async ({ fields, errors }) => {
    expect((await createIn(deployments, fields)).errors).toEqual(errors);
  });

  it('rejects changes of the selector', async () => {
    const { object } = await createIn(deployments, { spec });
    const labels = { app: 'web', tier: 'a' };
    const changed = { selector: { matchLabels: labels }, template: { ...template, metadata: { labels } } };
    expect((await updateIn(deployments, object, { spec: changed })).errors).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"a"}}: field is immutable',
    ]);
  });

  it('increments `generation` on spec changes, never on metadata or status changes', async () => {
    const { object } = await createIn(deployments, { spec });
    const scaled = await updateIn(deployments, object, { spec: { ...spec, replicas: 3 } });
    expect(scaled.object.metadata.generation).toBe(2);
    const labelled = await updateIn(deployments, object, { metadata: { ...object.metadata, labels: { a: 'b' } } });
    expect(labelled.object.metadata.generation).toBe(1);
  });

  it('ignores status in a PUT to the main endpoint, and spec in a PUT to /status', async () => {
    const { object } = await createIn(deployments, { spec });
    const stored = { ...object, status: { replicas: 1 } };
    expect((await updateIn(deployments, stored, { status: { replicas: 9 } })).object.status).toEqual({ replicas: 1 });
    const status = await updateIn(deployments, stored, { spec: {}, status: { replicas: 2 } }, 'status');
    expect(status.object).toMatchObject({ spec: object.spec, status: { replicas: 2 } });
  });

  it('returns 422 for duplicate condition types in a PUT', async () => {
    const { object } = await createIn(deployments, { spec });
    const conditions = [
      { type: 'Available', status: 'True' },
      { type: 'Available', status: 'False' },
    ];
    const { errors } = await updateIn(deployments, object, { status: { conditions } }, 'status');
    expect(errors).toEqual(['status.conditions[1]: Duplicate value: {"type":"Available"}']);
  });

  it('treats a PUT that omits defaulted fields as a no-op', async () => {
    const { object } = await createIn(deployments, { spec });
    expect((await updateIn(deployments, object, { spec })).object).toEqual(object);
  });

  it('prints READY, UP-TO-DATE and AVAILABLE', () => {
    const row = rowOf(deployments, {
      metadata: { name: 'd' },
      spec: { ...spec, replicas: 3 },
      status: { readyReplicas: 2, updatedReplicas: 3 },
    });
    expect(row).toMatchObject({
      Ready: '2/3',
      'Up-to-date': 3,
      Available: 0,
      Containers: 'c',
      Images: 'nginx:1.27',
      Selector: 'app=web',
    });
  });
});

describe('other workload kinds', () => {
  it('sets one replica of ReplicaSets by default', async () => {
    expect((await createIn(replicaSets, { spec })).object).toMatchObject({
      spec: { replicas: 1 },
      status: { replicas: 0 },
    });
  });

  it('sets maxUnavailable 1 of DaemonSets by default', async () => {
    const { object } = await createIn(daemonSets, { spec });
    expect(object.spec).toMatchObject({
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
    });
  });

  it('lets StatefulSets mount their volumeClaimTemplates', async () => {
    const claims = [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } }];
    const mounted = {
      ...template,
      spec: { containers: [{ name: 'c', image: 'x', volumeMounts: [{ name: 'data', mountPath: '/d' }] }] },
    };
    const { object, errors } = await createIn(statefulSets, {
      spec: { selector, template: mounted, volumeClaimTemplates: claims },
    });
    expect(errors).toEqual([]);
    expect(object.spec).toMatchObject({
      podManagementPolicy: 'OrderedReady',
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain' },
    });
  });

  it('allows changes of some fields of StatefulSets only', async () => {
    const { object } = await createIn(statefulSets, { spec: { ...spec, serviceName: 'a' } });
    expect((await updateIn(statefulSets, object, { spec: { ...spec, serviceName: 'b' } })).errors).toEqual([
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ]);
  });
});
