import { processTemplate } from '@slipway/clusterctl';
import { olmBundle, operatorManifest } from '@slipway/drivers';
import { type KubeObject, parseManifest, parseYamlDocuments } from '@slipway/kube';
import type { Container } from '@slipway/kube/builtin';
import { simulatedAssets } from '@slipway/simulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { componentsText } from '../../packages/cli/src/providers/components-text.js';
import { slipway } from '../../packages/cli/test/support/command.js';
import type { KVMCluster } from '../../packages/kvm/src/api/index.js';
import { podOf } from '../../packages/kvm/src/pod/pod-manifest.js';
import { podSettingsDefault } from '../../packages/kvm/src/pod/pod-settings.js';
import { approverObjects } from '../../packages/openshift/src/install/approver-manifests.js';
import { payloadObjects } from '../../packages/openshift/src/payload/manifests.js';
import { ChartUnderTest } from '../helm/support/rendered-chart.js';
import { ensureRelease, releaseFile } from './release-files.js';
import { ImageRoot } from './support/image-root.js';

// Runs the command of every container that Slipway deploys, word by word, in the file system of the image that the container
// names. Outside of a cluster the programs parse their arguments, and then fail because something of the pod is missing.
let manager: ImageRoot;
let launcher: ImageRoot;
let chart: ChartUnderTest;
beforeAll(() => {
  ensureRelease();
  manager = ImageRoot.unpack(releaseFile(/^slipway-\d.*-oci\.tar$/));
  launcher = ImageRoot.unpack(releaseFile(/^slipway-vmm-.*-oci\.tar$/));
  chart = new ChartUnderTest();
});
afterAll(() => {
  chart?.remove();
  manager?.remove();
  launcher?.remove();
});

const generated = async (...flags: readonly string[]): Promise<KubeObject[]> =>
  parseManifest((await slipway('generate', 'provider', ...flags)).stdout);

async function chartObjects(): Promise<KubeObject[]> {
  const providers = ['dev', 'kvm', 'vsphere'].map((name) => `providers.infrastructure-${name}.enabled=true`);
  const operators = ['providerOperator.enabled=true', 'driversOperator.enabled=true', 'driversOperator.openshift=true'];
  const values = ['shards=4', 'replicas=2', 'diagnostics.insecure=true', 'extraArgs={--v=4}'];
  const plain = await chart.template(...providers, ...operators);
  return [...plain.values(), ...(await chart.template(...providers, ...operators, ...values)).values()];
}

function driversObjects(image: string): KubeObject[] {
  const mirrored = {
    updatePolicy: 'lts',
    imageRegistry: 'mirror.example',
    images: { cpi: 'mirror.example/cpi:v1' },
    pullSecrets: ['registry'],
  } as const;
  return [{}, mirrored, { isOpenShift: true }].flatMap((more) =>
    operatorManifest({ image, version: '0.0.0', ...more }),
  );
}

function machinePods(image: string): KubeObject[] {
  const cluster: KVMCluster = {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'KVMCluster',
    metadata: { name: 'example' },
  };
  const settings = { ...podSettingsDefault, launcherImage: image };
  return [true, false].map((isControlPlane) => {
    const spec = { resources: { cpu: '1', memory: '1Gi' } };
    const uuid = '1d3c7a52-0000-4000-8000-000000000001';
    const document = { uuid, name: 'node', clusterName: 'example', isControlPlane, spec, cluster: {} };
    return podOf(document, 'default', cluster, settings) as unknown as KubeObject;
  });
}

const sources: readonly (readonly [string, number, () => readonly KubeObject[] | Promise<readonly KubeObject[]>])[] = [
  ['the core provider', 1, () => generated('--core', 'cluster-api')],
  ['the bootstrap provider', 1, () => generated('--bootstrap', 'kubeadm')],
  ['the control plane provider', 1, () => generated('--control-plane', 'kubeadm')],
  ['infrastructure-dev', 1, () => generated('--infrastructure', 'dev')],
  ['infrastructure-kvm', 1, () => generated('--infrastructure', 'kvm')],
  ['infrastructure-vsphere', 1, () => generated('--infrastructure', 'vsphere')],
  [
    'the provider operator',
    1,
    async () => parseManifest(processTemplate(await componentsText('capi-operator'), () => undefined)),
  ],
  ['the Helm chart', 8, chartObjects],
  ['the drivers operator', 1, () => driversObjects(manager.reference)],
  [
    'the OLM bundle',
    1,
    () =>
      olmBundle({ image: manager.reference, version: '0.0.0' }).flatMap(({ text }) =>
        parseYamlDocuments(text).map(({ value }) => value as KubeObject),
      ),
  ],
  ['the OpenShift operator', 1, () => approverObjects(manager.reference)],
  ['machines in pods', 4, () => machinePods(launcher.reference)],
];

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Returns the containers of pods at any depth, such as those of a Deployment in a ClusterServiceVersion. */
function containersIn(value: Json): Container[] {
  if (Array.isArray(value)) return value.flatMap(containersIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]: [string, Json]) =>
    (name === 'containers' || name === 'initContainers') && Array.isArray(part)
      ? (part as unknown as Container[]).filter(({ image }) => typeof image === 'string')
      : containersIn(part),
  );
}

/** Returns the command lines of a container: its own, and those of its probes and hooks. */
function commandLines(container: Container, image: ImageRoot): (readonly string[])[] {
  const { startupProbe, livenessProbe, readinessProbe, lifecycle } = container;
  const actions = [startupProbe, livenessProbe, readinessProbe, lifecycle?.postStart, lifecycle?.preStop];
  const executed = actions.flatMap((action) => (action?.exec?.command === undefined ? [] : [action.exec.command]));
  return [image.commandLine(container), ...executed];
}

/** What the programs report when they have accepted their arguments. */
const outsideOfPod = /kubeconfig|KUBERNETES_SERVICE_HOST|\/etc\/capk\/vm\.json|\/run\/capk/;

describe('every command that is deployed starts from the image of the release', () => {
  it.each(sources)('of %s', async (_name, count, read) => {
    const objects = await read();
    const containers = containersIn(JSON.parse(JSON.stringify(objects)) as Json);
    const lines = new Map<string, { readonly line: readonly string[]; readonly image: ImageRoot }>();
    for (const container of containers) {
      const image = [manager, launcher].find(({ reference }) => reference === container.image);
      if (image === undefined) throw new Error(`${container.name} has the image ${container.image}`);
      for (const line of commandLines(container, image)) lines.set(line.join(' '), { line, image });
    }
    expect(lines.size).toBeGreaterThanOrEqual(count);
    for (const { line, image } of lines.values()) {
      const { code, stdout, stderr } = await image.run(line);
      expect({ line, code, output: stdout + stderr }).toEqual({
        line,
        code: 1,
        output: expect.stringMatching(outsideOfPod) as string,
      });
    }
  });

  it('and the OpenShift payload deploys no other container', () => {
    expect(containersIn(JSON.parse(JSON.stringify(payloadObjects(simulatedAssets()))) as Json)).toEqual([]);
  });
});
