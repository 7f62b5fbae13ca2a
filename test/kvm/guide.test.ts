import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock, systemRandom } from '@slipway/base';
import { parseYamlDocuments } from '@slipway/kube';
import { certificateToPem, createCa, generatePrivateKey, privateKeyToPem, publicKeyToPem } from '@slipway/pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommandResult } from '../support/run-command.js';
import { Terminal } from '../vsphere/terminal.js';
import { removeHost } from './support/host-folder.js';
import { legacyDefinition, legacyObjects } from './support/legacy-cluster.js';
import { wholeTinyFolder, wholeTinyImage } from './support/tiny-guest.js';

// Runs the commands of the page unchanged, with real QEMU virtual machines that boot the tiny guest.
const page = readFileSync(new URL('../../docs/tasks/kvm-clusters.md', import.meta.url), 'utf8');
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((text) => [
      text.split('\n', 1)[0] ?? '',
      [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, commands = '']) => commands),
    ]),
);
const blocks = (title: string): readonly string[] => {
  const found = sections.get(title);
  if (found === undefined) throw new Error(`the page has no part "${title}"`);
  return found;
};
const lifeMs = 600_000;
const stepMs = 240_000;

let terminal: Terminal;
/** The variables that earlier commands have set. */
let prepared = 'export KUBECONFIG=~/.local/share/slipway/admin.conf\n';

beforeAll(async () => {
  terminal = new Terminal();
  await terminal.start('slipway up').said(/Stop +Ctrl-C/, lifeMs);
  mkdirSync(join(terminal.folder, '.ssh'));
  writeFileSync(join(terminal.folder, '.ssh/id_ed25519.pub'), 'ssh-ed25519 AAAA reader@example.com\n');
}, lifeMs);
afterAll(async () => {
  await terminal?.dispose();
  removeHost(terminal?.folder);
}, lifeMs);

const run = (commands: string): Promise<CommandResult> => terminal.run(`${prepared}\n${commands}`);
const succeed = async (commands: string): Promise<CommandResult> => {
  const result = await run(commands);
  if (result.code !== 0) throw new Error(`it ended with ${result.code}: ${result.stderr}\n${result.stdout}`);
  return result;
};

describe('clusters on KVM, following the documentation', () => {
  it(
    'are created on real machines, displayed, and deleted completely',
    async () => {
      const { stdout: variables } = await succeed(blocks('1. List the variables of a template').join(''));
      expect(variables).toContain('SSH_AUTHORIZED_KEY');
      const [debian = '', tiny = ''] = blocks('2. Build an image');
      // Building a node image takes minutes. So the command is only parsed, and fails because the files that it names are
      // missing.
      expect((await run(debian)).stderr).toContain('kubeadm, for /usr/bin/kubeadm in the image, does not exist');
      await keepKernel(terminal.folder);
      expect((await succeed(tiny)).stdout).toContain('machines use it with spec.image.name: tiny');
      prepared += tiny
        .split('\n')
        .filter((line) => line.startsWith('export '))
        .join('\n');
      const [local = '', pods = ''] = blocks('3. Generate the cluster manifest');
      await succeed(`${local}\n${pods}\nkubectl apply --dry-run=server -f pods.yaml`);

      const [create = '', why = ''] = blocks('4. Create the cluster');
      const { stdout: shown } = await succeed(create);
      expect(shown).toContain('cluster.cluster.x-k8s.io/abc condition met');
      // Workers wait for a control plane, which the tiny guest does not run.
      const asks = (path: string) => async (): Promise<string> =>
        (
          await run(
            `kubectl get kvmmachines -l cluster.x-k8s.io/control-plane -o jsonpath="{.items[*].status.${path}}"`,
          )
        ).stdout;
      await expect.poll(asks('machineState'), { timeout: stepMs, interval: 1_000 }).toBe('running');
      const isAttached = asks("conditions[?(@.type=='LoadBalancerAttached')].status");
      await expect.poll(isAttached, { timeout: stepMs, interval: 1_000 }).toBe('True');
      const { stdout: described } = await succeed('slipway describe cluster abc');
      expect(described).toMatch(/Machine default\/abc-\S+, v1\.35\.0 \(1 CPU, 256 MiB, (tcg|kvm), 1 boot\)/);
      // The command waits forever, because the tiny guest does not run a control plane.
      expect(await run(why)).toMatchObject({
        code: 6,
        stdout: expect.stringContaining('Cluster default/abc is waiting'),
      });
      expect((await succeed('clusterctl describe cluster abc')).stdout).toMatch(/KVMCluster.*\babc\b/);

      await succeed(blocks('5. Delete the cluster').join(''));
      expect((await succeed('kubectl get machines,kvmmachines,kvmclusters -o name')).stdout).toBe('');
      expect((await succeed('ls ~/.local/share/slipway/kvm/machines')).stdout).toBe('');
    },
    2 * lifeMs,
  );

  it(
    'are created from a ClusterClass too',
    async () => {
      const [, pods = ''] = blocks('3. Generate the cluster manifest');
      await succeed(`export SSH_AUTHORIZED_KEY=ssh-ed25519
        ${pods}
        slipway generate cluster topo --infrastructure kvm --flavor clusterclass --kubernetes-version v1.35.0 > topo.yaml
        slipway apply -f topo.yaml
        kubectl wait cluster/topo --for jsonpath='{.status.initialization.infrastructureProvisioned}'=true --timeout 5m`);
      // No kubelet runs Pods here: only their creation is checked.
      const podNames = async (): Promise<string> => (await run('kubectl get pods -o name')).stdout;
      await expect.poll(podNames, { timeout: stepMs, interval: 1_000 }).toMatch(/^pod\/topo-/);
      await succeed('kubectl delete cluster topo');
      const left = 'kubectl get machines,kvmmachines,kvmclusters,pods -l cluster.x-k8s.io/cluster-name=topo -o name';
      expect((await succeed(left)).stdout).toBe('');
    },
    lifeMs,
  );

  it(
    'migrates legacy clusters, and migrates them on to another provider',
    async () => {
      writeFileSync(join(terminal.folder, 'definition.yaml'), legacyDefinition);
      writeFileSync(join(terminal.folder, 'legacy.yaml'), legacyObjects);
      await succeed(`kubectl apply -f definition.yaml
        kubectl wait crd/kvmconfigs.provider.giantswarm.io --for condition=Established --timeout 2m
        kubectl apply -f legacy.yaml`);
      const [plan = '', apply = ''] = blocks('6. Migrate a cluster from kvm-operator');
      const planned = await succeed(plan);
      const objects = parseYamlDocuments(readFileSync(join(terminal.folder, 'al9qy.yaml'), 'utf8')).map(
        ({ value }) => value as { kind: string },
      );
      expect(objects.map(({ kind }) => kind)).toEqual(
        expect.arrayContaining(['Cluster', 'KVMCluster', 'KVMMachineTemplate', 'KVMMachine', 'Machine']),
      );
      expect(planned.stderr).toMatch(/^1\. Check: .*\n2\. Back up etcd: /);
      expect(planned.stderr).toContain('Remove the old master (irreversible)');

      const withoutKeys = await run(apply);
      expect(withoutKeys.stderr).toContain('pki/ca.crt is missing: without it no kubeconfig');
      expect((await succeed('kubectl get clusters -n al9qy -o name')).stdout).toBe('');
      await writeAuthorities(join(terminal.folder, 'pki'));
      const { stdout: reported } = await succeed(plan.replace('> al9qy.yaml', '--pki ./pki 2>&1'));
      expect(reported).toContain('note: Secrets al9qy-ca, al9qy-etcd, al9qy-sa are not printed; --apply creates them');
      expect(reported).not.toContain('PRIVATE KEY');
      expect((await succeed(apply)).stdout).toMatch(
        /Secret al9qy\/al9qy-ca created\n[^]*Machine al9qy\/worker-w1 created/,
      );
      expect((await succeed(apply)).stdout).not.toContain('created');
      const paused = 'kubectl get kvmconfig al9qy -o jsonpath="{.metadata.annotations}"';
      expect((await succeed(paused)).stdout).toContain('"operatorkit.giantswarm.io/paused":"true"');
      await writeAuthorities(join(terminal.folder, 'pki'));
      expect((await run(apply)).stderr).toContain('Secret al9qy/al9qy-ca already exists with another certificate');

      await succeed(blocks('7. Export to another provider').join(''));
      const exported = readFileSync(join(terminal.folder, 'worker-vsphere.yaml'), 'utf8');
      expect(parseYamlDocuments(exported)[0]?.value).toMatchObject({
        kind: 'VSphereMachineTemplate',
        spec: { template: { spec: { numCPUs: 4, memoryMiB: 8192 } } },
      });
    },
    lifeMs,
  );

  it.each([
    {
      name: 'nothing to migrate',
      args: 'slipway kvm migrate --kubernetes-version v1.35.0 --image-url x',
      code: 2,
      expected: 'the name of the KVMConfig is required\n  → add the name, or set --filename',
    },
    {
      name: 'a KVMConfig that does not exist',
      args: 'slipway kvm migrate none --kubernetes-version v1.35.0 --image-url x',
      code: 1,
      expected: 'KVMConfig none not found in namespace default',
    },
    {
      name: 'a file without one',
      args: 'echo "{kind: Pod, apiVersion: v1, metadata: {name: a}}" > other.yaml; slipway kvm migrate -f other.yaml --kubernetes-version v1.35.0 --image-url x',
      code: 1,
      expected:
        'other.yaml has no KVMConfig with a spec.cluster.id\n  → save it with: kubectl get kvmconfig <id> -o yaml',
    },
    {
      name: 'a template that does not exist',
      args: 'slipway kvm export none --to metal3',
      code: 1,
      expected:
        'KVMMachineTemplate none not found in namespace default\n  → list the KVMMachineTemplates with `kubectl get kvmmachinetemplates -A`',
    },
    {
      name: 'an unknown provider',
      args: 'slipway kvm export none --to azure',
      code: 2,
      expected: "argument 'azure' is invalid. Allowed choices are vsphere, metal3",
    },
  ])('reports the error for $name', async ({ args, code, expected }) => {
    const result = await run(args);
    expect(result.stderr).toContain(expected);
    expect(result.code).toBe(code);
  });
});

/** Reuses the downloaded kernel of other tests. */
async function keepKernel(home: string): Promise<void> {
  await wholeTinyImage();
  await succeed(
    `mkdir -p ${home}/.local/share/slipway/kvm/tiny && cp -a ${wholeTinyFolder}/kernel-* ${home}/.local/share/slipway/kvm/tiny/`,
  );
}

/** Writes the CAs of a cluster in kubeadm's layout. */
async function writeAuthorities(folder: string): Promise<void> {
  const environment = { clock: systemClock, random: systemRandom };
  mkdirSync(join(folder, 'etcd'), { recursive: true });
  for (const name of ['ca', 'etcd/ca']) {
    const key = await generatePrivateKey('ECDSA');
    const { certificate } = await createCa(environment, { commonName: name, key });
    writeFileSync(join(folder, `${name}.crt`), certificateToPem(certificate));
    writeFileSync(join(folder, `${name}.key`), privateKeyToPem(key));
  }
  const key = await generatePrivateKey('ECDSA');
  writeFileSync(join(folder, 'sa.key'), privateKeyToPem(key));
  writeFileSync(join(folder, 'sa.pub'), publicKeyToPem(key));
}
