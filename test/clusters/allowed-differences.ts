/** What may differ between upstream's objects and ours, by line of the comparison, and why. */
export const allowedDifferences: readonly { readonly what: RegExp; readonly why: string }[] = [];
