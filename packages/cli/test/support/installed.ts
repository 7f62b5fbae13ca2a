import { fileURLToPath } from 'node:url';

const installation = new URL('../../../../dist/installed/', import.meta.url);

/** Directory with the `slipway` command, for the PATH. */
export const installedPrograms: string = fileURLToPath(new URL('bin', installation));

/** The files of the installed package. */
export const installedFiles: URL = new URL('lib/node_modules/slipway/dist/', installation);

/** Path of the program that `slipway` runs, for tests that start it with a Node.js of their choice. */
export const installedSlipway: string = fileURLToPath(
  new URL('lib/node_modules/slipway/bin/slipway.mjs', installation),
);
