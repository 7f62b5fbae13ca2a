import { type Clock, type Logger, type Random, silentLogger } from '@slipway/base';
import type { Frozen } from '@slipway/kube';
import { type Condition, getCondition } from '@slipway/runtime';
import { startTestPlane, type TestPlane } from '@slipway/testing/plane';
import { driverKinds, operatorNamespace, type VdoConfig, vdoConfigs } from '../../src/api/index.js';
import {
  createDriverControllers,
  createMemory,
  OperatorMetricFamilies,
  OperatorMetrics,
  type OperatorOptions,
  type OperatorDependencies,
} from '../../src/operator/index.js';
import { type FetchDocument, MatrixSupply, TemplateSupply } from '../../src/supply/index.js';
import { FakeVCenters } from './fake-vcenters.js';
import { SimulatedCluster } from './simulated-cluster.js';

export interface DriversPlane {
  readonly plane: TestPlane;
  readonly simulated: SimulatedCluster;
  readonly vcenters: FakeVCenters;
  readonly metrics: () => OperatorMetrics;
  kubernetes: string;
  /** Responses of the simulated HTTP servers by URL. */
  readonly web: Map<string, { status: number; text: string; etag?: string }>;
  readonly requests: string[];
  until(check: (config: Frozen<VdoConfig>) => boolean, name?: string): Promise<Frozen<VdoConfig>>;
  stop(): Promise<void>;
}

export const conditionOf = (config: Frozen<VdoConfig>, type: string): Readonly<Condition> | undefined =>
  getCondition(config, type);
export const isReady = (config: Frozen<VdoConfig>): boolean => conditionOf(config, 'Ready')?.status === 'True';

/** The operator on an in-memory control plane in virtual time, with simulated vCenters and HTTP servers. */
export async function startDriversPlane(
  options: Partial<OperatorOptions> = {},
  logger: Logger = silentLogger,
): Promise<DriversPlane> {
  const vcenters = new FakeVCenters();
  const web: DriversPlane['web'] = new Map();
  const requests: string[] = [];
  let metrics: OperatorMetrics | undefined;
  const fetch: FetchDocument = (url, { etag }) => {
    requests.push(url);
    const found = web.get(url) ?? { status: 404, text: '' };
    if (etag !== undefined && etag === found.etag) return Promise.resolve({ status: 304, text: '', etag });
    return Promise.resolve({ status: found.status, text: found.text, etag: found.etag });
  };
  const dependenciesOf = ({ clock, random }: { clock: Clock; random: Random }): OperatorDependencies => {
    metrics = new OperatorMetrics(new OperatorMetricFamilies(clock));
    return {
      options: {
        namespace: operatorNamespace,
        updatePolicy: 'latest',
        images: {},
        deletionPolicy: 'Retain',
        ...options,
      },
      vcenters,
      matrices: new MatrixSupply({ namespace: operatorNamespace, fetch, clock, random, logger, pollMs: 600_000 }),
      templates: new TemplateSupply(fetch, logger),
      metrics,
      kubernetesVersion: () => Promise.resolve(made.kubernetes),
      memory: createMemory(),
    };
  };
  const plane = await startTestPlane({
    sets: [{ name: 'drivers-anew', controllers: freshControllers(dependenciesOf) }],
    kinds: () => ({ name: 'drivers', kinds: driverKinds, converters: new Map(), rules: [] }),
    namespace: operatorNamespace,
    logger,
  });
  const simulated = new SimulatedCluster(plane.client, () => plane.clock.now());
  await simulated.ensureNamespace('kube-system');
  const made: DriversPlane = {
    plane,
    simulated,
    vcenters,
    web,
    requests,
    kubernetes: '1.36',
    metrics: () => metrics as OperatorMetrics,
    until: (check, name = 'vdo') => plane.until(vdoConfigs, { namespace: operatorNamespace, name }, check),
    stop: () => plane.stop(),
  };
  return made;
}

/** Returns controllers whose restart drops in-memory state, as a new process does. */
function freshControllers(dependenciesOf: (dependencies: { clock: Clock; random: Random }) => OperatorDependencies) {
  let current = createDriverControllers(dependenciesOf);
  const [first] = current.controllers;
  return current.controllers.map((descriptor, place) => ({
    ...descriptor,
    create: (context: Parameters<typeof descriptor.create>[0]) => {
      if (descriptor.name === first?.name) current = createDriverControllers(dependenciesOf);
      return (current.controllers[place] as typeof descriptor).create(context);
    },
  }));
}
