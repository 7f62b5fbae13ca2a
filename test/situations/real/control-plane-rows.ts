import { foreignControlPlane, patchInside } from '../../../packages/insight/test/broken-machines.js';
import { ref } from '../../../packages/insight/test/manifests.js';
import { untilCondition } from '../../../packages/insight/test/situations.js';
import { available, clusterRef, controlPlaneMachine, create, deadWebhook, machineQuota, touch } from './objects.js';
import { type Place, type RealSituation, withBackend } from './shared-plane.js';
import { clusterManifests } from '../../../packages/insight/test/manifests.js';

/** After this time, a control plane machine no longer counts as joining. */
const joiningMs = 600_000;

function controlPlaneOf({ namespace, name }: Place): ReturnType<typeof ref> {
  return ref('KubeadmControlPlane', namespace, name);
}

/** The control plane, its certificates, its etcd cluster and the connection to it. */
export const controlPlaneRows: readonly RealSituation[] = [
  {
    row: 'a webhook is down while the first control plane machine is created',
    async make(place) {
      await place.plane.create(deadWebhook(place));
      await place.plane.advance(5_000);
      await create(place);
      await place.plane.advance(60_000);
    },
  },
  {
    row: 'a quota rejects a control plane machine',
    async make(place) {
      await place.plane.create(...machineQuota(place));
      await place.plane.advance(10_000);
      await create(place);
      await place.plane.advance(60_000);
    },
  },
  {
    row: 'the Secret of the cluster CA was deleted',
    async make(place) {
      const { plane, namespace, name } = place;
      await available(place, { workers: 0 });
      await plane.remove(ref('Secret', namespace, `${name}-ca`));
      await touch(place, controlPlaneOf(place));
      await untilCondition(plane, controlPlaneOf(place), 'CertificatesAvailable', 'False');
    },
  },
  {
    row: 'the Secret of the service account key was deleted, and the control plane has not noticed',
    async make(place) {
      await available(place, { workers: 0 });
      await place.plane.remove(ref('Secret', place.namespace, `${place.name}-sa`));
    },
  },
  {
    row: 'an etcd member was removed by hand',
    async make(place) {
      const { plane, namespace, name } = place;
      await available(place, { controlPlanes: 3, workers: 0 });
      await untilCondition(plane, controlPlaneOf(place), 'ScalingUp', 'False');
      const machine = await controlPlaneMachine(place);
      await plane.advance(joiningMs);
      const etcd = plane.dev.workloads.get({ namespace, name })?.etcd;
      etcd?.remove(etcd.members.find((member) => member.name === machine.name)?.id ?? 0n);
      await touch(place, controlPlaneOf(place));
      await untilCondition(plane, controlPlaneOf(place), 'EtcdClusterHealthy', 'False');
    },
  },
  {
    row: 'etcd lost its quorum',
    async make(place) {
      const { plane, namespace, name } = place;
      await available(place, { controlPlanes: 3, workers: 0 });
      await untilCondition(plane, controlPlaneOf(place), 'ScalingUp', 'False');
      await plane.advance(joiningMs);
      const workload = plane.dev.workloads.get({ namespace, name });
      for (const { name: member } of workload?.etcd.members.slice(0, 2) ?? []) workload?.etcd.stop(member);
      await untilCondition(plane, clusterRef(place), 'RemoteConnectionProbe', 'False');
    },
  },
  {
    row: 'the API server of a control plane machine fails',
    async make(place) {
      const { plane, namespace, name } = place;
      await available(place, { workers: 0 });
      const machine = await controlPlaneMachine(place);
      await plane.advance(joiningMs);
      const pod = { kind: 'Pod', namespace: 'kube-system', name: `kube-apiserver-${machine.name}` };
      const waiting = { reason: 'CrashLoopBackOff', message: 'back-off restarting' };
      const conditions = [{ type: 'Ready', status: 'False', reason: 'ContainersNotReady' }];
      const container = { name: 'kube-apiserver', ready: false, restartCount: 9, image: '', imageID: '' };
      const containerStatuses = [{ ...container, state: { waiting } }];
      await patchInside(plane, namespace, pod, { phase: 'Running', conditions, containerStatuses }, name);
      await touch(place, controlPlaneOf(place));
      await untilCondition(plane, controlPlaneOf(place), 'ControlPlaneComponentsHealthy', 'False');
    },
  },
  {
    row: 'the workload cluster is unreachable',
    async make(place) {
      const { plane, namespace, name } = place;
      await available(place, { workers: 0 });
      const machine = await controlPlaneMachine(place);
      plane.dev.workloads.get({ namespace, name })?.removeApiServer(machine.name);
      await untilCondition(plane, clusterRef(place), 'RemoteConnectionProbe', 'False');
    },
  },
  {
    row: 'the kubeconfig Secret was deleted',
    async make({ plane, namespace, name }) {
      return foreignControlPlane(plane, namespace, name);
    },
  },
  {
    row: 'the bootstrap data of a machine cannot be generated',
    async make(place) {
      const files = [{ path: '/etc/proxy', contentFrom: { secret: { name: 'proxy', key: 'config' } } }];
      await create(place, {}, (object) =>
        object.kind === 'KubeadmControlPlane'
          ? { ...object, spec: { ...object.spec, kubeadmConfigSpec: { format: 'cloud-config', files } } }
          : object,
      );
      await place.plane.advance(60_000);
    },
  },
  {
    row: 'a DevMachine requests a backend that is not supported',
    async make({ plane, namespace, name }) {
      await plane.create(...withBackend(clusterManifests({ name, namespace }), name));
      await plane.advance(60_000);
    },
  },
  {
    row: 'a simulated machine is starting',
    async make(place) {
      await create(place, { startup: { vm: '1h' } });
      await place.plane.advance(60_000);
    },
  },
  {
    row: 'the CA of a simulated cluster is not valid',
    async make(place) {
      const { plane, namespace, name } = place;
      const base64 = (text: string): string => Buffer.from(text).toString('base64');
      await plane.create({
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'cluster.x-k8s.io/secret',
        metadata: { name: `${name}-ca`, namespace, labels: { 'cluster.x-k8s.io/cluster-name': name } },
        data: { 'tls.crt': base64('nothing'), 'tls.key': base64('x') },
      });
      await create(place);
      await plane.advance(60_000);
    },
  },
];
