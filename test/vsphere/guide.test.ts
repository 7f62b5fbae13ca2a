import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { templateVariables, vsphereTemplates } from '@slipway/clusterctl';
import { templateDrivers } from '@slipway/drivers';
import { parseYamlDocuments } from '@slipway/kube';
import { reachSimulatedGuest } from '@slipway/simulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../support/peer-process.js';
import type { CommandResult } from '../support/run-command.js';
import { Terminal } from './terminal.js';

const page = readFileSync(new URL('../../docs/tasks/cluster-on-vsphere.md', import.meta.url), 'utf8');
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((text) => [
      text.split('\n', 1)[0] ?? '',
      [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, commands = '']) => commands),
    ]),
);
const blocks = (title: string): readonly string[] => sections.get(title) ?? [];
const lifeMs = 300_000;

/** Variables of a flavor that the simulator does not provide. */
const more = `
export NODE_IPAM_POOL_NAME=pool NODE_IPAM_POOL_API_GROUP=ipam.cluster.x-k8s.io NODE_IPAM_POOL_KIND=InClusterIPPool
export NAMESERVER=192.0.2.53
export VSPHERE_MACHINE_CLASS_NAME=best-effort-small VSPHERE_IMAGE_NAME=image VSPHERE_STORAGE_CLASS=fast
export CLUSTER_NAME=flavor NAMESPACE=default KUBERNETES_VERSION=v1.35.0
export CONTROL_PLANE_MACHINE_COUNT=1 WORKER_MACHINE_COUNT=1
`;

let terminal: Terminal;
/** Shell setup for every command: the third block of the guide, with a free port for the control plane. */
let prepared = '';
beforeAll(async () => {
  const [simulator = '', plane = '', third = ''] = blocks('Without a vCenter');
  const [port] = await freePorts(1);
  terminal = new Terminal();
  // Use a separate port, because two tests on one host must not share one.
  prepared = `${third}\nexport CONTROL_PLANE_ENDPOINT_PORT=${port}\n`;
  const vcenter = terminal.start(simulator.trim());
  await terminal.start(plane.trim()).said(/Stop +Ctrl-C/);
  const file = `${terminal.folder}/vsphere.env`;
  // Poll: not every file system reports changes.
  while (!(existsSync(file) && readFileSync(file, 'utf8').includes('Ctrl-C'))) {
    if (vcenter.exited) throw new Error(`the simulator ended: ${vcenter.log()}`);
    await pause(100);
  }
});
afterAll(() => terminal?.dispose());

const run = (commands: string): Promise<CommandResult> => terminal.run(`${prepared}\n${commands}`);
const succeed = async (commands: string): Promise<string> => {
  const { code, stdout, stderr } = await run(commands);
  if (code !== 0) throw new Error(`it ended with ${code}: ${stderr}\n${stdout}`);
  return stdout;
};

describe('from credentials to a cluster', () => {
  it('names the variables that the template requires', () => {
    const [, given = ''] = /<<'END'\n([^]*?)^END$/m.exec(blocks('2. Configure the environment')[0] ?? '') ?? [];
    const named = [...given.matchAll(/^export (\w+)=/gm)].map(([, name = '']) => name);
    const byFlag = ['CLUSTER_NAME', 'NAMESPACE', 'KUBERNETES_VERSION'];
    const counts = ['CONTROL_PLANE_MACHINE_COUNT', 'WORKER_MACHINE_COUNT'];
    const desired = templateVariables(vsphereTemplates['cluster-template.yaml']?.(templateDrivers()) ?? '')
      .filter((variable) => variable.default === undefined)
      .map(({ name }) => name)
      .filter((name) => ![...byFlag, ...counts].includes(name));
    expect(named.sort()).toEqual(desired.sort());
  });

  it('has valid shell commands in step 2', async () => {
    const [block = ''] = blocks('2. Configure the environment');
    const [, asWritten = ''] = /^([^]*?\nchmod [^\n]*\n)/.exec(block) ?? [];
    const script = `mkdir two && cd two\n${asWritten}\nls -l vsphere.env; echo "$VSPHERE_DATACENTER"`;
    expect((await terminal.run(script)).stdout).toMatch(/^-rw-------.*\nDC0\n$/s);
  });

  it(
    'creates, inspects and deletes a cluster with the commands of steps 3, 4 and 5',
    async () => {
      const output = await succeed(blocks('3. Create the cluster').join('\n'));
      expect(output.match(/^cluster\.cluster\.x-k8s\.io\/prod condition met$/gm)).toHaveLength(2);
      // A cluster is available before the last machine of its control plane exists. Wait for that machine.
      await expect.poll(() => run(blocks('4. Troubleshooting').join('\n'))).toMatchObject({ code: 0 });
      const nodesReady = async () => (await succeed('kubectl --kubeconfig prod.conf get nodes')).match(/ Ready /g);
      await expect.poll(nodesReady).toHaveLength(5);
      await succeed(blocks('5. Delete the cluster').join('\n'));
      expect(await succeed('kubectl get machines,vspherevms -o name')).toBe('');
    },
    lifeMs,
  );
});

const flavors = Object.keys(vsphereTemplates).flatMap(
  (file) => /^cluster-template-?(.*)\.yaml$/.exec(file)?.slice(1) ?? [],
);
const generate = (name: string, flavor: string): string =>
  `slipway generate cluster ${name} --infrastructure vsphere --flavor "${flavor}" --kubernetes-version v1.35.0`;

describe('flavors of vSphere', () => {
  it.each(flavors)('"%s" generates objects that the plane accepts', async (flavor) => {
    const output = await succeed(`${more}\n${generate(`f${flavor}`, flavor)} > f.yaml
      kubectl apply --dry-run=server -f f.yaml; cat f.yaml`);
    const documents = output.match(/^apiVersion: (?!$)/gm)?.length ?? 0;
    expect(output.match(/created \(server dry run\)$/gm)).toHaveLength(documents);
  });

  it('are rendered identically by clusterctl', async () => {
    await succeed('slipway release --out release');
    const files = Object.keys(vsphereTemplates).map((file) => `"$folder/${file}"`);
    const output = await succeed(`${more}
      folder=$(echo release/infrastructure-vsphere/v*/)
      for file in ${files.join(' ')}; do
        for program in slipway clusterctl; do $program generate yaml --from "$file"; echo; echo "=== "; done
      done`);
    const texts = output.split(/^=== $/m).map((text) => parseYamlDocuments(text).map(({ value }) => value));
    expect(texts).toHaveLength(2 * files.length + 1);
    for (const [place, file] of files.entries())
      expect({ file, made: texts[2 * place] }).toEqual({ file, made: texts[2 * place + 1] });
  });

  describe('clusters of all flavors', () => {
    const lives = { topo: 'topology', balanced: 'haproxy', supervised: 'topology-supervisor' };
    const names = Object.keys(lives);
    const clusters = names.map((name) => `cluster/${name}`).join(' ');
    const machines = () => succeed('kubectl get machines,vspherevms,virtualmachines -o name');

    it(
      'become available, with the ClusterClasses that they need',
      async () => {
        const made = Object.entries(lives).map(([name, flavor]) => `${generate(name, flavor)} > ${name}.yaml`);
        const reached = names.map((name) => `slipway get kubeconfig ${name} > ${name}.conf`);
        const output = await succeed(`${more}\n${made.join('\n')}
          ${names.map((name) => `slipway apply -f ${name}.yaml`).join('\n')}
          kubectl wait ${clusters} --for condition=Available --timeout 4m
          ${reached.join('\n')}`);
        for (const name of names) expect(output).toContain(`cluster.cluster.x-k8s.io/${name} condition met`);
      },
      lifeMs,
    );

    it('install the drivers if an account for them is set', async () => {
      const workload = async () =>
        (await succeed('kubectl --kubeconfig topo.conf get daemonsets,deployments,secrets -A -o name')).split('\n');
      const drivers = [
        'daemonset.apps/vsphere-cloud-controller-manager',
        'deployment.apps/vsphere-csi-controller',
        'secret/cloud-provider-vsphere-credentials',
        'secret/vsphere-config-secret',
      ];
      await expect.poll(workload).toEqual(expect.arrayContaining(drivers));
      const supervised = await succeed('kubectl --kubeconfig supervised.conf get deployments,secrets -A -o name');
      expect(supervised).not.toContain('vsphere');
    });

    it('have an endpoint of kube-vip, HAProxy or the Supervisor', async () => {
      const pod = await succeed(
        `kubectl get kubeadmcontrolplanes -l cluster.x-k8s.io/cluster-name=topo -o jsonpath='{.items[0].spec.kubeadmConfigSpec.files[2].content}'`,
      );
      expect(pod).toMatch(/name: address\n +value: 127\.0\.0\.1$/m);
      const balancer = await succeed(`kubectl get haproxyloadbalancer balanced -o jsonpath='{.status.address}'`);
      const endpoint = await succeed(`kubectl get cluster balanced -o jsonpath='{.spec.controlPlaneEndpoint.host}'`);
      expect(endpoint).toBe(reachSimulatedGuest(balancer));
      for (const name of names)
        expect(await succeed(`kubectl --kubeconfig ${name}.conf get nodes -o name`)).toMatch(/^node\//);
    });

    it(
      'are deleted with all of their machines',
      async () => {
        expect(await machines()).toContain('virtualmachine.vmoperator.vmware.com/supervised');
        await succeed(`kubectl delete ${clusters}`);
        expect(await machines()).toBe('');
      },
      lifeMs,
    );
  });

  it('lists the flavors and the missing variables', async () => {
    const unknown = await run(generate('x', 'none'));
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('failed to read "cluster-template-none.yaml"');
    expect(unknown.stderr).toContain(flavors.filter((flavor) => flavor !== '').join(', '));
    const missing = await run(`unset VSPHERE_SERVER VSPHERE_PASSWORD; ${generate('x', 'topology')}`);
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('value for variables [VSPHERE_PASSWORD, VSPHERE_SERVER] is not set');
    expect(missing.stdout).toBe('');
  });
});
