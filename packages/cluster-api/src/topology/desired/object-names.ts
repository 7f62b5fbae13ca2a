import { generateName, randomSuffix, type RandomSource } from '@slipway/kube';
import { renderNameTemplate, type NameValues } from '../../naming/index.js';

const nameLengthMax = 63;
const randomLength = 5;

/** Default name templates. */
export const nameTemplates = {
  cluster: '{{ .cluster.name }}-{{ .random }}',
  machineDeployment: '{{ .cluster.name }}-{{ .machineDeployment.topologyName }}-{{ .random }}',
  machinePool: '{{ .cluster.name }}-{{ .machinePool.topologyName }}-{{ .random }}',
} as const;

/** Renders a name. A name that is too long is truncated and gets a random suffix to stay unique. */
export function nameFromTemplate(template: string, values: NameValues, random: RandomSource): string {
  const name = renderNameTemplate(template, { ...values, random: randomSuffix(random, randomLength) });
  return name.length <= nameLengthMax ? name : generateName(name, random);
}

/** Returns the name prefix for templates of a control plane: `cluster-xxxxx`. */
export function controlPlaneTemplatePrefix(cluster: string): string {
  return `${cluster}-`;
}

/** Returns the name prefix for templates and objects of workers: `cluster-workers-xxxxx`. */
export function workerTemplatePrefix(cluster: string, topologyName: string): string {
  return `${cluster}-${topologyName}-`;
}
