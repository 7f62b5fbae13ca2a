/** An error that the user can fix, with its remedy. */
export class ClusterctlError extends Error {
  readonly remedy: string | undefined;

  constructor(message: string, options: { readonly remedy?: string; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'ClusterctlError';
    this.remedy = options.remedy;
  }
}
