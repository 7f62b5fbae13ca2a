import { fileURLToPath } from 'node:url';

const installation = new URL('../../../../dist/installed/', import.meta.url);

/** The folder with `slipway`, for the PATH. */
export const installedPrograms: string = fileURLToPath(new URL('bin', installation));

/** The files of the installed package. */
export const installedFiles: URL = new URL('lib/node_modules/slipway/dist/', installation);

/** The program behind `slipway`, for tests that start it with a Node of their choice. */
export const installedSlipway: string = fileURLToPath(
  new URL('lib/node_modules/slipway/bin/slipway.mjs', installation),
);
