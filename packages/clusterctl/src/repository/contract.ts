/** The supported version of the provider contract. */
export const currentContract = 'v1beta2';

/** Returns the provider contract versions that are compatible with a core contract version. */
export function compatibleContracts(contract: string): readonly string[] {
  return contract === currentContract ? ['v1beta1', currentContract] : [contract];
}
