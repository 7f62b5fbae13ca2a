import { podClusters } from '../../../scripts/documented-commands/real-nodes.js';
import { clusterIsAvailable, expectNodes } from '../../host/support/cluster-checks.js';
import { realCluster } from '../../host/support/manifests.js';
import { RealHost, until } from '../../host/support/real-host.js';
import { peerBinary } from '../../support/peer-process.js';
import { ensureRelease, releaseFile } from '../release-files.js';

const version = 'v1.36.3';
const kubeconfig = 'export KUBECONFIG=$HOME/real.conf';
const image = 'docker.io/slipway/manager';

/** Exit code of the previous container: there was none, or it lost its leadership on a busy host. */
const notFailed = /^(?:<none>|5)$/;

interface PodFacts {
  readonly ready: string;
  readonly exitCode: string;
  readonly image: string;
}

/** Namespaces of the managers and operators, by the part that runs there. */
export const parts = {
  core: 'capi-system',
  bootstrap: 'capi-kubeadm-bootstrap-system',
  controlPlane: 'capi-kubeadm-control-plane-system',
  dev: 'capd-system',
  providerOperator: 'capi-operator-system',
  driversOperator: 'vmware-system-vdo',
} as const;

/**
 * A release on a real cluster that the host provider creates: real kubelet and containerd, in a network namespace without a
 * connection to the outside, so that every image comes from the files of the release.
 */
export class RealInstallation {
  private constructor(readonly host: RealHost) {}

  static async start(): Promise<RealInstallation> {
    ensureRelease();
    const host = await RealHost.start([version]);
    const installation = new RealInstallation(host);
    try {
      await host.apply(realCluster(version));
      await clusterIsAvailable(host, 1, '400s');
      await expectNodes(host, 2, version);
      await host.shell("kubectl get secret real-kubeconfig -o jsonpath='{.data.value}' | base64 -d > $HOME/real.conf");
      await host.shell(`slipway load image ${releaseFile(/^slipway-\d.*-oci\.tar$/)} --cluster real`);
      return installation;
    } catch (error) {
      await host.dispose();
      throw error;
    }
  }

  /** Runs a command line with the kubeconfig of the real cluster. */
  shell(command: string): Promise<string> {
    return this.host.shell(command, kubeconfig);
  }

  async apply(manifest: string): Promise<void> {
    await this.shell(`kubectl apply -f - <<'END'\n${manifest}\nEND`);
  }

  helm(command: 'install' | 'upgrade', ...sets: readonly string[]): Promise<string> {
    const chart = releaseFile(/^slipway-chart-.*\.tgz$/);
    const flags = command === 'install' ? '--create-namespace' : '--reuse-values';
    const values = sets.map((set) => `--set ${set}`).join(' ');
    return this.shell(
      `${peerBinary('helm')} ${command} slipway ${chart} --namespace slipway-system ${flags} ${values}`,
    );
  }

  async uninstallChart(): Promise<void> {
    await this.shell(`${peerBinary('helm')} uninstall slipway --namespace slipway-system --wait --timeout 3m`);
  }

  /** Waits until the parts are rolled out. Returns the parts whose pods are not as expected: ready, from the image, without a failure. */
  async wrongPods(names: readonly (keyof typeof parts)[], replicas: number, tag: string): Promise<object[]> {
    const wrong: object[] = [];
    for (const name of names) {
      const count = name === 'driversOperator' ? 1 : replicas;
      await this.shell(`kubectl rollout status deployment --namespace ${parts[name]} --timeout=240s`);
      await until(`${parts[name]} has ${count} pods`, async () => (await this.#pods(parts[name])).length === count);
      const pods = await this.#pods(parts[name]);
      const isRight = (pod: PodFacts): boolean =>
        pod.ready === 'true' && pod.image === `${image}:${tag}` && notFailed.test(pod.exitCode);
      if (!pods.every(isRight)) wrong.push({ name, pods });
    }
    return wrong;
  }

  /** Returns the pods of a namespace that are not being deleted. */
  async #pods(namespace: string): Promise<PodFacts[]> {
    const columns =
      'P:.status.phase,D:.metadata.deletionTimestamp,R:.status.containerStatuses[0].ready,N:.status.containerStatuses[0].lastState.terminated.exitCode,I:.spec.containers[0].image';
    const text = await this.shell(`kubectl get pods -n ${namespace} --no-headers -o custom-columns=${columns}`);
    return text
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([phase, deletion]) => phase === 'Running' && deletion === '<none>')
      .map(([, , ready = '', exitCode = '', image = '']) => ({ ready, exitCode, image }));
  }

  /** Creates a cluster of the dev provider with the command of the quick start, and waits until it is Available. Returns its phase. */
  async createCluster(name: string): Promise<string> {
    await this.shell(
      `slipway create cluster ${name} --infrastructure dev --kubernetes-version ${version} --worker-machine-count 1`,
    );
    await this.shell(`kubectl wait --for=condition=Available --timeout=120s cluster/${name}`);
    return this.shell(`kubectl get cluster ${name} -o jsonpath='{.status.phase}'`);
  }

  /** Scales the workers of a cluster, and waits until they are ready and the cluster is Available. Returns their number. */
  async scaleWorkers(name: string, replicas: number): Promise<number> {
    await this.shell(`kubectl scale machinedeployment ${name}-workers --replicas ${replicas}`);
    const workers = `machinedeployment/${name}-workers`;
    await this.shell(`kubectl wait --for=jsonpath='{.status.availableReplicas}'=${replicas} --timeout=240s ${workers}`);
    await this.shell(`kubectl wait --for=condition=Available --timeout=120s cluster/${name}`);
    return Number(await this.shell(`kubectl get ${workers} -o jsonpath='{.status.readyReplicas}'`));
  }

  /** Returns the Nodes of a dev cluster by the commands that the documentation gives for clusters in a pod. */
  async nodesOf(name: string): Promise<string[]> {
    const port = await this.shell(`kubectl get cluster ${name} -o jsonpath='{.spec.controlPlaneEndpoint.port}'`);
    // The Deployment has several pods, of which only the leader serves the cluster.
    const leader = `pod/${await this.#leader(parts.dev)}`;
    const command = (documented: string): string =>
      documented
        .replaceAll('demo', name)
        .replaceAll('20123', port)
        .replace('deployment/capd-controller-manager', leader);
    const text = await this.shell(
      `${command(podClusters.kubeconfig)}
      ${command(podClusters.forward)} > forward.log & forward=$!
      trap 'kill $forward' EXIT
      until grep -q Forwarding forward.log; do kill -0 $forward; sleep 0.2; done
      ${command(podClusters.nodes)}`,
    );
    return text.split('\n').filter((line) => / Ready /.test(line));
  }

  /** Deletes the pod that leads, and waits until another one does. */
  async deleteLeader(part: keyof typeof parts): Promise<void> {
    const namespace = parts[part];
    const before = await this.#leader(namespace);
    await this.shell(`kubectl delete pod --namespace ${namespace} ${before}`);
    await until(`another pod of ${namespace} leads`, async () => {
      const leader = await this.#leader(namespace);
      return leader !== '' && leader !== before;
    });
  }

  async #leader(namespace: string): Promise<string> {
    const path = "jsonpath='{.spec.holderIdentity}'";
    const identity = await this.shell(`kubectl get lease slipway-manager -n ${namespace} -o ${path}`);
    return identity.split('_')[0] ?? '';
  }

  /** Gives the image of the release another tag on all nodes, as a later release would have. */
  async tagImage(from: string, to: string): Promise<void> {
    const machines = await this.host.kubectl('get', 'hostmachines', '-o', 'jsonpath={.items[*].metadata.name}');
    for (const machine of machines.split(' '))
      await this.host.runInMachine(
        machine,
        ...(['ctr', '-n', 'k8s.io', 'images', 'tag', '--force', `${image}:${from}`, `${image}:${to}`] as const),
      );
  }

  async dispose(): Promise<void> {
    await this.host.dispose();
  }
}
