/** The version of the contract between the core and providers that is spoken here. */
export const currentContract = 'v1beta2';

/** Contracts of providers that work with a core of the given one. */
export function compatibleContracts(contract: string): readonly string[] {
  return contract === currentContract ? ['v1beta1', currentContract] : [contract];
}
