import { cloneJson, generateName, type KubeObject, type RandomSource } from '@slipway/kube';
import { ownerReference } from '@slipway/runtime';
import { labels, type MachinePool } from '../../api/index.js';
import { compact } from '../json-fields.js';
import type { CurrentPool, DesiredPool, ObservedObject, PoolTopology } from '../topology-state.js';
import { objectFromTemplate, topologyLabels } from './clone-template.js';
import { referenceTo, workerMetadata, type WorkerInput, workerTimeouts } from './machine-deployment.js';
import { nameFromTemplate, nameTemplates, workerTemplatePrefix } from './object-names.js';
import { WorkerClassError } from './worker-class-error.js';

/** Returns the desired MachinePool with its bootstrap configuration and infrastructure, which are objects, not templates. */
export function desiredPool(input: WorkerInput<PoolTopology, CurrentPool>, random: RandomSource): DesiredPool {
  const { blueprint, cluster, topology, current, version } = input;
  const worker = blueprint.machinePools.get(topology.class);
  if (worker === undefined) throw new WorkerClassError('MachinePool', topology.class, blueprint.clusterClass);
  const { workerClass } = worker;
  const clusterName = cluster.metadata.name ?? '';
  const own = { [labels.topologyPoolName]: topology.name };
  const part = (template: ObservedObject, existing: ObservedObject | undefined): KubeObject =>
    objectFromTemplate({
      template,
      cluster,
      name: existing?.metadata.name ?? generateName(workerTemplatePrefix(clusterName, topology.name), random),
      labels: own,
      owner: ownerReference(cluster),
    });
  const bootstrap = part(worker.bootstrap, current?.bootstrap);
  const infrastructure = part(worker.infrastructure, current?.infrastructure);
  const values = { cluster: { name: clusterName }, machinePool: { topologyName: topology.name } };
  const nameTemplate = workerClass.naming?.template ?? nameTemplates.machinePool;
  const name = current?.object.metadata.name ?? nameFromTemplate(nameTemplate, values, random);
  const metadata = workerMetadata(workerClass.metadata, topology.metadata, { ...topologyLabels(cluster), ...own });
  const spec = compact({
    clusterName,
    replicas: topology.replicas,
    failureDomains: cloneJson(topology.failureDomains ?? workerClass.failureDomains),
    template: {
      metadata: cloneJson(metadata),
      spec: {
        clusterName,
        version,
        bootstrap: { configRef: referenceTo(bootstrap) },
        infrastructureRef: referenceTo(infrastructure),
        deletion: workerTimeouts(workerClass.deletion, topology.deletion),
        minReadySeconds: topology.minReadySeconds ?? workerClass.minReadySeconds,
        taints: cloneJson(topology.taints ?? workerClass.taints),
      },
    },
  }) as MachinePool['spec'];
  const object: MachinePool = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachinePool',
    metadata: { name, namespace: cluster.metadata.namespace ?? '', ...metadata },
    spec,
  };
  return { object, bootstrap, infrastructure };
}
