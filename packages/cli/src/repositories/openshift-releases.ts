import { readReleaseAssets } from '@slipway/openshift';
import { explainFailure } from './index.js';

/** The releases that an OpenShift cluster gets its providers from. */
export async function readOpenShiftReleases(folder: string): ReturnType<typeof readReleaseAssets> {
  try {
    return await readReleaseAssets(folder);
  } catch (error) {
    throw explainFailure(error);
  }
}
