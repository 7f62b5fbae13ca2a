import { compareProviderTypes, manifestLabel, type ProviderType } from './provider-type.js';

/** A provider and the URL of its repository. */
export interface ProviderConfig {
  readonly name: string;
  readonly type: ProviderType;
  readonly url: string;
}

export function labelOf(provider: Pick<ProviderConfig, 'name' | 'type'>): string {
  return manifestLabel(provider.name, provider.type);
}

export function compareProviders(left: ProviderConfig, right: ProviderConfig): number {
  return compareProviderTypes(left.type, right.type) || (left.name < right.name ? -1 : Number(left.name > right.name));
}

export function isSameProvider(
  left: Pick<ProviderConfig, 'name' | 'type'>,
  right: Pick<ProviderConfig, 'name' | 'type'>,
): boolean {
  return left.name === right.name && left.type === right.type;
}
