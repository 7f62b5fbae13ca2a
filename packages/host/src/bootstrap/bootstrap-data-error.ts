/** Bootstrap data that a machine of this kind cannot carry out. The message never quotes it: it holds keys and tokens. */
export class BootstrapDataError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BootstrapDataError';
  }
}
