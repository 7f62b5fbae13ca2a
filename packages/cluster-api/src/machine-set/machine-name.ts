import type { RandomSource } from '@slipway/kube';
import { drawUniqueName, nameOf } from '../machines/index.js';
import { renderNameTemplate } from '../naming/index.js';
import type { ObservedMachineSet } from './replica-plan.js';

const templateDefault = '{{ .machineSet.name }}-{{ .random }}';
const nameLengthMax = 63;

/** The name of a new machine, which its bootstrap configuration and infrastructure share. */
export function drawMachineName(set: ObservedMachineSet, taken: ReadonlySet<string>, random: RandomSource): string {
  const template = set.spec.machineNaming?.template ?? templateDefault;
  const values = { cluster: { name: set.spec.clusterName }, machineSet: { name: nameOf(set) } };
  const nameWith = (suffix: string): string => {
    const name = renderNameTemplate(template, { ...values, random: suffix });
    // A name that is cut must not lose what makes it unique.
    return name.length <= nameLengthMax ? name : name.slice(0, nameLengthMax - suffix.length) + suffix;
  };
  return drawUniqueName(nameWith, (name) => taken.has(name), random).name;
}
