import { generateName, randomSuffix, type RandomSource } from '@slipway/kube';
import { renderNameTemplate, type NameValues } from '../../naming/index.js';

const nameLengthMax = 63;
const randomLength = 5;

/** What names are made of unless the class says otherwise. */
export const nameTemplates = {
  cluster: '{{ .cluster.name }}-{{ .random }}',
  machineDeployment: '{{ .cluster.name }}-{{ .machineDeployment.topologyName }}-{{ .random }}',
  machinePool: '{{ .cluster.name }}-{{ .machinePool.topologyName }}-{{ .random }}',
} as const;

/** A name from a template. One that is too long loses its end, and gets a random one so that it still differs. */
export function nameFromTemplate(template: string, values: NameValues, random: RandomSource): string {
  const name = renderNameTemplate(template, { ...values, random: randomSuffix(random, randomLength) });
  return name.length <= nameLengthMax ? name : generateName(name, random);
}

/** Templates that belong to a control plane: `cluster-xxxxx`. */
export function controlPlaneTemplatePrefix(cluster: string): string {
  return `${cluster}-`;
}

/** Templates and objects that belong to workers: `cluster-workers-xxxxx`. */
export function workerTemplatePrefix(cluster: string, topologyName: string): string {
  return `${cluster}-${topologyName}-`;
}
