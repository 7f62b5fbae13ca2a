import { compareVersionPriority } from '@slipway/kube';
import { contractLabelPrefix } from '../api/names.js';

/** Supported contracts, in order of preference. */
export const contracts = ['v1beta2', 'v1beta1'] as const;
export type Contract = (typeof contracts)[number];

export interface ContractVersion {
  readonly contract: Contract;
  /** The API version of the kind that implements the contract, such as `v1beta1`. */
  readonly version: string;
}

/**
 * Selects the version and contract of a provider's kind from the labels of its CRD: `cluster.x-k8s.io/v1beta1:
 * v1alpha4_v1beta1`. Undefined if the CRD has no contract label.
 */
export function contractVersionOf(labels: Readonly<Record<string, string>> | undefined): ContractVersion | undefined {
  for (const contract of contracts) {
    const versions = (labels?.[`${contractLabelPrefix}${contract}`] ?? '').split('_').filter((text) => text !== '');
    const [version] = versions.sort(compareVersionPriority);
    if (version !== undefined) return { contract, version };
  }
  return undefined;
}

/** Returns the CRD name of a kind by the naming rule of the provider contracts: `devmachines.<group>`. */
export function definitionNameOf(apiGroup: string, kind: string): string {
  return `${pluralOf(kind.toLowerCase())}.${apiGroup}`;
}

function pluralOf(word: string): string {
  if (/(s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}
