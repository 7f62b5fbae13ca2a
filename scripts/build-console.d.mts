/** Builds the pages of the console into a folder of their own. */
export function buildConsole(outdir: string): Promise<void>;
