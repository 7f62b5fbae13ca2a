/** Something that the user can do something about: what is wrong, and beside it what to do. */
export class ClusterctlError extends Error {
  readonly remedy: string | undefined;

  constructor(message: string, options: { readonly remedy?: string; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'ClusterctlError';
    this.remedy = options.remedy;
  }
}
