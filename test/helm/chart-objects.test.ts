import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@slipway/base';
import {
  builtinConfig,
  inventoryDefinition,
  inventoryObject,
  type NamedProviders,
  planInit,
  readConfig,
} from '@slipway/clusterctl';
import { operatorManifest } from '@slipway/drivers';
import type { KubeObject } from '@slipway/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { availableProviders } from '../../packages/cli/src/providers/builtin-providers.js';
import { slipwayVersion } from '../../packages/cli/src/version.js';
import { byName, ChartUnderTest } from './support/rendered-chart.js';

// Compares the objects that stock Helm renders from the chart with those of `slipway init` and `slipway drivers deploy`.
let chart: ChartUnderTest;
beforeAll(() => {
  chart = new ChartUnderTest();
});
afterAll(() => chart?.remove());

interface InitRow {
  readonly name: string;
  readonly sets: readonly string[];
  readonly providers?: NamedProviders;
  readonly targetNamespace?: string;
  /** Variables of the components. */
  readonly env?: Readonly<Record<string, string>>;
  /** clusterctl.yaml */
  readonly config?: string;
}

const all = ['dev', 'kvm', 'vsphere'];
const enableAll = all.map((name) => `providers.infrastructure-${name}.enabled=true`);

const rows: readonly InitRow[] = [
  { name: 'default values', sets: [] },
  { name: 'all providers', sets: enableAll, providers: { InfrastructureProvider: all } },
  {
    name: 'no kubeadm providers',
    sets: [
      'providers.control-plane-kubeadm.enabled=false',
      'providers.bootstrap-kubeadm.enabled=false',
      'providers.infrastructure-dev.enabled=true',
    ],
    providers: { BootstrapProvider: ['-'], ControlPlaneProvider: ['-'], InfrastructureProvider: ['dev'] },
  },
  {
    name: 'one namespace for all providers',
    sets: [...enableAll, 'targetNamespace=clusters'],
    providers: { InfrastructureProvider: all },
    targetNamespace: 'clusters',
  },
  {
    name: 'feature gates',
    sets: [
      ...enableAll,
      'featureGates.ClusterTopology=true',
      'featureGates.MachinePool=false',
      'featureGates.NodeAntiAffinity=true',
    ],
    providers: { InfrastructureProvider: all },
    env: { CLUSTER_TOPOLOGY: 'true', EXP_MACHINE_POOL: 'false', EXP_NODE_ANTI_AFFINITY: 'true' },
  },
  {
    name: 'diagnostics without TLS',
    sets: ['diagnostics.insecure=true', 'diagnostics.address=:8080'],
    env: { CAPI_INSECURE_DIAGNOSTICS: 'true', CAPI_DIAGNOSTICS_ADDRESS: ':8080' },
  },
  {
    name: 'images of a mirror',
    sets: ['image.repository=mirror.example/apps/manager', 'image.tag=v9'],
    config: 'images: { all: { repository: mirror.example/apps, tag: v9 } }\n',
  },
  {
    name: 'the image of one provider',
    sets: ['providers.cluster-api.image.tag=v9'],
    config: 'images: { cluster-api: { tag: v9 } }\n',
  },
];

/** Returns objects as they are sent: fields without a value are absent. */
function plain(objects: readonly object[]): KubeObject[] {
  return JSON.parse(JSON.stringify(objects)) as KubeObject[];
}

async function initObjects(row: InitRow): Promise<ReadonlyMap<string, KubeObject>> {
  const file = join(chart.folder, 'clusterctl.yaml');
  writeFileSync(file, row.config ?? '{}\n');
  const clock = systemClock;
  const config = await readConfig(
    { file, env: { ...row.env }, builtin: availableProviders().map(builtinConfig) },
    { clock },
  );
  const options = { providers: row.providers ?? {}, targetNamespace: row.targetNamespace, validate: true };
  const management = (): Promise<undefined> => Promise.resolve(undefined);
  const { queue } = await planInit(options, undefined, { clock, config, builtin: availableProviders(), management });
  const objects = queue.flatMap((each) => [...each.objects, inventoryObject(each.provider)]);
  return byName(plain([inventoryDefinition(), ...objects]));
}

describe('the chart renders the objects of `slipway init`', () => {
  it.each(rows)('for $name', async (row) => {
    const [rendered, applied] = [await chart.template(...row.sets), await initObjects(row)];
    expect([...rendered.keys()]).toEqual([...applied.keys()]);
    for (const [name, object] of rendered) expect({ name, object }).toEqual({ name, object: applied.get(name) });
  });
});

/** Returns the image of the core provider's manager. */
function imageOf(objects: ReadonlyMap<string, KubeObject>): string {
  const deployment = objects.get('Deployment capi-system/capi-controller-manager');
  const { template } = (deployment as KubeObject)['spec'] as {
    template: { spec: { containers: [{ image: string }] } };
  };
  return template.spec.containers[0].image;
}

const driversRows = [
  { name: 'default values', sets: [], installation: {} },
  { name: 'OpenShift', sets: ['openshift=true'], installation: { isOpenShift: true } },
  {
    name: 'a mirror of the images',
    sets: [
      'imageRegistry=mirror.example',
      'images.cpi=mirror.example/cpi:v1',
      'image.pullSecrets={one,two}',
      'updatePolicy=lts',
    ],
    installation: {
      imageRegistry: 'mirror.example',
      images: { cpi: 'mirror.example/cpi:v1' },
      pullSecrets: ['one', 'two'],
      updatePolicy: 'lts' as const,
    },
  },
  {
    name: 'another compatibility matrix',
    sets: ['matrixUrl=https://mirror.example/matrix.json'],
    installation: { matrixUrl: 'https://mirror.example/matrix.json' },
  },
];

describe('the chart renders the objects of `slipway drivers deploy`', () => {
  it.each(driversRows)('for $name', async ({ sets, installation }) => {
    const base = await chart.template();
    const rendered = await chart.template(
      'driversOperator.enabled=true',
      ...sets.map((set) => `driversOperator.${set}`),
    );
    const image = imageOf(base);
    const added = new Map([...rendered].filter(([name]) => !base.has(name)));
    const applied = byName(plain(operatorManifest({ image, version: slipwayVersion, ...installation })));
    expect([...added.keys()]).toEqual([...applied.keys()]);
    for (const [name, object] of added) expect({ name, object }).toEqual({ name, object: applied.get(name) });
  });
});
