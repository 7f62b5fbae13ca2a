import { compareVersionPriority } from '@slipway/kube';
import { contractLabelPrefix } from '../api/names.js';

/** Contracts that are understood, the preferred one first. */
export const contracts = ['v1beta2', 'v1beta1'] as const;
export type Contract = (typeof contracts)[number];

export interface ContractVersion {
  readonly contract: Contract;
  /** The version of the kind that fulfils it: `v1beta1`. */
  readonly version: string;
}

/**
 * Which version of a provider's kind is read, and by which contract, from the labels of its definition:
 * `cluster.x-k8s.io/v1beta1: v1alpha4_v1beta1`. Undefined when the definition names no contract.
 */
export function contractVersionOf(labels: Readonly<Record<string, string>> | undefined): ContractVersion | undefined {
  for (const contract of contracts) {
    const versions = (labels?.[`${contractLabelPrefix}${contract}`] ?? '').split('_').filter((text) => text !== '');
    const [version] = versions.sort(compareVersionPriority);
    if (version !== undefined) return { contract, version };
  }
  return undefined;
}

/** The name of the definition of a kind, by the rule that all provider contracts demand: `devmachines.<group>`. */
export function definitionNameOf(apiGroup: string, kind: string): string {
  return `${pluralOf(kind.toLowerCase())}.${apiGroup}`;
}

function pluralOf(word: string): string {
  if (/(s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}
