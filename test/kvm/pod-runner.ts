import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { once } from 'node:events';
import type { Frozen } from '@slipway/kube';
import { type Client, configMaps, type Container, type Pod, pods, secrets } from '@slipway/runtime';
import { installedSlipway } from '../../packages/cli/test/support/installed.js';

/**
 * Simulates the part of a kubelet that the Pods of machines need: volumes are directories, and containers are processes of this
 * host that see those directories at their mount paths.
 */
export class PodRunner {
  readonly #client: Client;
  readonly #folder: string;
  #launcher: ChildProcess | undefined;
  /** The exit status of the launcher. */
  exitCode: number | null | undefined;
  log = '';

  constructor(client: Client, folder: string) {
    this.#client = client;
    this.#folder = folder;
  }

  /** Returns the directory that is mounted at the path. */
  mounted(path: string): string {
    return join(this.#folder, path);
  }

  async start(pod: Frozen<Pod>): Promise<void> {
    const { namespace = '', name = '' } = pod.metadata;
    const key = { namespace, name };
    // A Pod that is bound to a Node has a grace period when it is deleted.
    await this.#client.createSubresource(pods, key, 'binding', {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace },
      target: { kind: 'Node', name: 'edge' },
    });
    await this.#mount(pod);
    const [prepare] = pod.spec?.initContainers ?? [];
    const [launcher] = pod.spec?.containers ?? [];
    if (prepare === undefined || launcher === undefined) throw new Error('the pod has no containers');
    const [code] = (await once(this.#spawn(prepare), 'exit')) as [number];
    if (code !== 0) throw new Error(`preparing ended with ${code}: ${this.log}`);
    this.#launcher = this.#spawn(launcher);
    this.#launcher.once('exit', (ended) => {
      this.exitCode = ended;
    });
  }

  /** Whether a probe of the launcher succeeds. */
  async probe(pod: Frozen<Pod>, probe: 'livenessProbe' | 'readinessProbe'): Promise<boolean> {
    const [launcher] = pod.spec?.containers ?? [];
    const { command } = (launcher as unknown as Record<string, { exec: { command: string[] } }>)[probe]?.exec ?? {};
    const [code] = (await once(this.#spawn({ name: probe, ...(command && { command }) }), 'exit')) as [number];
    return code === 0;
  }

  async reportStatus(pod: Frozen<Pod>): Promise<void> {
    const { namespace = '', name = '' } = pod.metadata;
    const status = {
      phase: 'Running',
      podIP: '10.0.2.15',
      podIPs: [{ ip: '10.0.2.15' }],
      containerStatuses: [
        {
          name: 'vmm',
          ready: true,
          restartCount: 0,
          image: 'vmm',
          imageID: 'vmm',
          state: { running: { startedAt: new Date().toISOString() } },
        },
      ],
    };
    await this.#client.patch(
      pods,
      { namespace, name },
      { type: 'merge', patch: { status } },
      { subresource: 'status' },
    );
  }

  /** Stops a Pod like a kubelet: sends the signal, waits for the grace period, then deletes the Pod. */
  async end(pod: Frozen<Pod>): Promise<void> {
    const { namespace = '', name = '' } = pod.metadata;
    const ended = this.#launcher && once(this.#launcher, 'exit');
    this.#launcher?.kill('SIGTERM');
    await ended;
    await this.#client.delete(pods, { namespace, name }, { gracePeriodSeconds: 0 });
  }

  kill(): void {
    this.#launcher?.kill('SIGKILL');
  }

  #spawn({ command = [], args = [] }: Pick<Frozen<Container>, 'name' | 'command' | 'args'>): ChildProcess {
    const commandLine = [...command.slice(1), ...args].map((word) => word.replace(/=\//, `=${this.#folder}/`));
    const child = spawn(process.execPath, [installedSlipway, ...commandLine], { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.log += text;
      });
    return child;
  }

  async #mount({ metadata, spec }: Frozen<Pod>): Promise<void> {
    const namespace = metadata.namespace ?? '';
    for (const { name, mountPath } of spec?.containers[0]?.volumeMounts ?? []) {
      const volume = spec?.volumes?.find((each) => each.name === name) as unknown as {
        configMap?: { name: string };
        secret?: { secretName: string };
        hostPath?: { type?: string };
      };
      if (volume.hostPath?.type === 'CharDevice') continue;
      mkdirSync(this.mounted(mountPath), { recursive: true });
      const write = (file: string, data: string | Buffer): void => {
        mkdirSync(dirname(join(this.mounted(mountPath), file)), { recursive: true });
        writeFileSync(join(this.mounted(mountPath), file), data);
      };
      if (volume.configMap !== undefined) {
        const { data = {} } = await this.#client.get(configMaps, { namespace, name: volume.configMap.name });
        for (const [file, text] of Object.entries(data)) write(file, text);
      }
      if (volume.secret !== undefined) {
        const { data = {} } = await this.#client.get(secrets, { namespace, name: volume.secret.secretName });
        for (const [file, text] of Object.entries(data)) write(file, Buffer.from(text, 'base64'));
      }
    }
  }

  /** Returns the record of the running machine. */
  record(uuid: string): { qemu: { interfaces: { forwards: { guestPort: number; hostPort: number }[] }[] } } {
    const path = join(this.mounted('/var/lib/capk/disks'), 'machines', uuid, 'spec.json');
    return JSON.parse(readFileSync(path, 'utf8')) as ReturnType<PodRunner['record']>;
  }
}
