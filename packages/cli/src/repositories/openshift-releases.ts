import { readReleaseAssets } from '@slipway/openshift';
import { explainFailure } from './index.js';

/** The provider releases of an OpenShift cluster. */
export async function readOpenShiftReleases(folder: string): ReturnType<typeof readReleaseAssets> {
  try {
    return await readReleaseAssets(folder);
  } catch (error) {
    throw explainFailure(error);
  }
}
