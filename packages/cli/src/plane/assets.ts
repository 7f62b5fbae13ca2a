import { fileURLToPath } from 'node:url';

/** The built pages: they lie beside the bundle that this is part of. */
export const consoleAssets: string = fileURLToPath(new URL('./console/', import.meta.url));

/** Bundled apart, for it is loaded on a thread of its own. */
export const planThread: URL = new URL('./plan-thread.mjs', import.meta.url);
