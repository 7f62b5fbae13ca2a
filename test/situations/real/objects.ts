import type { ObjectRef, Observed } from '@slipway/insight';
import { clusterManifests, ref } from '../../../packages/insight/test/manifests.js';
import { isControlPlane, isWorker, untilCondition } from '../../../packages/insight/test/situations.js';
import type { Place } from './shared-plane.js';

type Shape = Omit<Parameters<typeof clusterManifests>[0], 'name' | 'namespace'>;
type Manifest = { readonly kind: string; readonly metadata: { readonly name: string }; readonly spec: object };

export function clusterRef({ namespace, name }: Place): ObjectRef {
  return ref('Cluster', namespace, name);
}

/** Creates a cluster, with changes to some of its objects. */
export async function create(
  { plane, namespace, name }: Place,
  shape: Shape = {},
  change: (object: Manifest) => object = (object) => object,
): Promise<void> {
  const objects = clusterManifests({ ...shape, name, namespace }) as readonly Manifest[];
  await plane.create(...objects.map(change));
}

/** Creates a cluster and waits until it is available. */
export async function available(place: Place, shape: Shape = {}): Promise<void> {
  await create(place, shape);
  await untilCondition(place.plane, clusterRef(place), 'Available', 'True');
}

/** Returns the first worker of the cluster. */
export function worker(place: Place): Promise<ObjectRef> {
  return firstOfCluster(place, 'Machine', isWorker);
}

export function controlPlaneMachine(place: Place): Promise<ObjectRef> {
  return firstOfCluster(place, 'Machine', isControlPlane);
}

/** Waits for an object of the cluster, and returns it. */
export async function firstOfCluster(
  { plane, namespace, name }: Place,
  kind: string,
  fits: (object: Observed) => boolean = () => true,
): Promise<ObjectRef> {
  const { group } = ref(kind, namespace, '');
  const resource = await plane.client.resourceFor({ group, kind });
  if (resource === undefined) throw new Error(`the server has no resource of kind ${kind}`);
  const labelSelector = `cluster.x-k8s.io/cluster-name=${name}`;
  let found: Observed | undefined;
  await plane.until(`there is a ${kind} of ${name}`, async () => {
    found = (await plane.client.list(resource, { namespace, labelSelector })).items.find(fits);
    return found !== undefined;
  });
  return ref(kind, namespace, found?.metadata.name ?? '');
}

/** Adds an annotation that changes nothing: some controllers have no watch for what a test breaks. */
export async function touch({ plane }: Place, target: ObjectRef): Promise<void> {
  await plane.merge(target, { metadata: { annotations: { touched: 'yes' } } });
}

export async function addFinalizer({ plane }: Place, target: ObjectRef, finalizer: string): Promise<void> {
  const { metadata } = await plane.get(target);
  await plane.merge(target, { metadata: { finalizers: [...(metadata.finalizers ?? []), finalizer] } });
}

/** Returns a webhook that rejects new Machines of the cluster, because nothing listens at its address. */
export function deadWebhook({ name, namespace }: Place): object {
  const rule = { apiGroups: ['cluster.x-k8s.io'], apiVersions: ['*'], operations: ['CREATE'], resources: ['machines'] };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: `policy-${namespace}-${name}` },
    webhooks: [
      {
        name: 'machines.policy.example',
        rules: [rule],
        // The discard port: nothing listens there.
        clientConfig: { url: 'https://127.0.0.1:9/validate' },
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        objectSelector: { matchLabels: { 'cluster.x-k8s.io/cluster-name': name } },
        failurePolicy: 'Fail',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  };
}

/** Returns a policy that rejects new Machines of the cluster. */
export function machineQuota({ name, namespace }: Place): readonly object[] {
  const metadata = { name: `quota-${namespace}-${name}` };
  const rule = { apiGroups: ['cluster.x-k8s.io'], apiVersions: ['*'], operations: ['CREATE'], resources: ['machines'] };
  const isOther = `object.metadata.namespace != '${namespace}' || object.spec.clusterName != '${name}'`;
  return [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: {
        matchConstraints: { resourceRules: [rule] },
        validations: [{ expression: isOther, message: 'exceeded quota: machines=10' }],
      },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: metadata.name, validationActions: ['Deny'] },
    },
  ];
}

/** Creates an object in the workload cluster. */
export async function createInside(
  { plane, namespace, name }: Place,
  group: string,
  kind: string,
  object: object,
): Promise<void> {
  const inside = plane.workloadClient({ namespace, name });
  const resource = await inside.resourceFor({ group, kind });
  if (resource === undefined) throw new Error(`the workload cluster serves no ${kind}`);
  await inside.create(resource, object as never);
}
