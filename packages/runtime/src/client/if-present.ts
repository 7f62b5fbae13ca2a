import { isReason } from '@slipway/kube';

/** Returns the result of a request for an object, or undefined if the object does not exist. */
export async function ifPresent<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}
