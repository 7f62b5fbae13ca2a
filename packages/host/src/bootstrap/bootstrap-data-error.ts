/** Reports unsupported bootstrap data. The message never quotes the data, which contains keys and tokens. */
export class BootstrapDataError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BootstrapDataError';
  }
}
