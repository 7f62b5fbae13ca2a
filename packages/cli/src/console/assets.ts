import { fileURLToPath } from 'node:url';

/** The built pages: they lie beside the bundle that this is part of. */
export const consoleAssets: string = fileURLToPath(new URL('./console/', import.meta.url));
