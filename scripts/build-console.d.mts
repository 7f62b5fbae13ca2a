/** Builds the pages of the console into a separate directory. */
export function buildConsole(outdir: string): Promise<void>;
