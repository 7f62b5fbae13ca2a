import { isReason } from '@slipway/kube';
import { clusterManifests, idleDefinition, ref } from './manifests.js';
import type { SimulatedPlane } from './simulated-plane.js';

const demo = 'demo';

/** Patches an object in the workload cluster. */
export async function patchInside(
  plane: SimulatedPlane,
  namespace: string,
  target: { readonly kind: string; readonly namespace?: string; readonly name: string },
  status: object,
  name = demo,
): Promise<void> {
  const inside = plane.workloadClient({ namespace, name });
  const resource = await inside.resourceFor({ group: '', kind: target.kind });
  if (resource === undefined) throw new Error(`no ${target.kind}`);
  const key = { namespace: target.namespace ?? '', name: target.name };
  await inside.patch(resource, key, { type: 'merge', patch: { status } as never }, { subresource: 'status' });
}

export async function breakNode(plane: SimulatedPlane, namespace: string, node: string, name = demo): Promise<void> {
  const time = new Date(plane.clock.now()).toISOString().replace(/\.\d+/, '');
  const ready = {
    type: 'Ready',
    status: 'False',
    reason: 'KubeletNotReady',
    message: 'disk is gone',
    lastTransitionTime: time,
  };
  await patchInside(plane, namespace, { kind: 'Node', name: node }, { conditions: [ready] }, name);
}

export function healthCheck(
  namespace: string,
  more: { selector?: object; spec?: object } = {},
  cluster = demo,
): object {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineHealthCheck',
    metadata: { name: cluster === demo ? 'check' : `check-${cluster}`, namespace },
    spec: {
      clusterName: cluster,
      selector: more.selector ?? { matchLabels: { 'cluster.x-k8s.io/deployment-name': `${cluster}-workers` } },
      checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'False', timeoutSeconds: 10 }] },
      ...more.spec,
    },
  };
}

/** Creates a machine of an external provider, with a status that reports it as provisioned, and a Node for it. */
export async function foreignMachine(
  plane: SimulatedPlane,
  namespace: string,
  name = demo,
): Promise<ReturnType<typeof ref>> {
  const group = 'infrastructure.cluster.x-k8s.io';
  const own = name === demo ? 'foreign' : `foreign-${name}`;
  await ensureDefinition(plane, idleDefinition('FogMachine', { 'cluster.x-k8s.io/v1beta2': 'v1' }));
  const inside = plane.workloadClient({ namespace, name });
  const nodes = await inside.resourceFor({ group: '', kind: 'Node' });
  if (nodes === undefined) throw new Error('no nodes');
  const [template] = (await inside.list(nodes)).items as readonly { status?: object }[];
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: own }, spec: { providerID: `fog://${own}` } };
  await inside.create(nodes, node as never);
  await patchInside(plane, namespace, { kind: 'Node', name: own }, structuredClone(template?.status ?? {}), name);
  const metadata = { name: own, namespace };
  await plane.create(
    { apiVersion: `${group}/v1`, kind: 'FogMachine', metadata, spec: { providerID: `fog://${own}` } },
    {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata,
      spec: {
        clusterName: name,
        version: 'v1.35.0',
        bootstrap: { dataSecretName: 'none' },
        infrastructureRef: { apiGroup: group, kind: 'FogMachine', name: own },
      },
    },
  );
  const target = { group, kind: 'FogMachine', namespace, name: own };
  const time = new Date(plane.clock.now()).toISOString().replace(/\.\d+/, '');
  const conditions = [{ type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: time }];
  await plane.merge(target, { status: { initialization: { provisioned: true }, conditions } }, 'status');
  return ref('Machine', namespace, own);
}

/** Creates a control plane of an external provider, whose status reports it as initialized. */
export async function foreignControlPlane(
  plane: SimulatedPlane,
  namespace: string,
  name = demo,
): Promise<ReturnType<typeof ref>> {
  const group = 'controlplane.cluster.x-k8s.io';
  const definition = JSON.parse(
    JSON.stringify(idleDefinition('ForeignControlPlane', { 'cluster.x-k8s.io/v1beta2': 'v1' })).replaceAll(
      'infrastructure.cluster.x-k8s.io',
      group,
    ),
  ) as object;
  await ensureDefinition(plane, definition);
  const [cluster, devCluster] = clusterManifests({ name, namespace }) as { spec: object }[];
  const controlPlaneRef = { apiGroup: group, kind: 'ForeignControlPlane', name };
  await plane.create({ ...cluster, spec: { ...cluster?.spec, controlPlaneRef } }, devCluster ?? {}, {
    apiVersion: `${group}/v1`,
    kind: 'ForeignControlPlane',
    metadata: { name, namespace },
  });
  const target = { group, kind: 'ForeignControlPlane', namespace, name };
  const time = new Date(plane.clock.now()).toISOString().replace(/\.\d+/, '');
  const conditions = [
    { type: 'Available', status: 'True', reason: 'Available', message: '', lastTransitionTime: time },
  ];
  await plane.merge(target, { status: { initialization: { controlPlaneInitialized: true }, conditions } }, 'status');
  await plane.advance(60_000);
  return ref('Cluster', namespace, name);
}

/** Creates a CRD unless it exists, and waits until it is served. */
async function ensureDefinition(plane: SimulatedPlane, definition: object): Promise<void> {
  await plane.create(definition).catch((error: unknown) => {
    if (!isReason(error, 'AlreadyExists')) throw error;
  });
  await plane.advance(5_000);
}

export function noMoreMachines(namespace: string): readonly object[] {
  const policy = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: `budget-${namespace}` },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: ['cluster.x-k8s.io'], apiVersions: ['*'], operations: ['CREATE'], resources: ['machines'] },
        ],
      },
      validations: [{ expression: `object.metadata.namespace != '${namespace}'`, message: 'the budget is spent' }],
    },
  };
  const binding = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: `budget-${namespace}` },
    spec: { policyName: `budget-${namespace}`, validationActions: ['Deny'] },
  };
  return [policy, binding];
}
