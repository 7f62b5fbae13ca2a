import { isReason } from '@slipway/kube';

/** What a request for an object gave; undefined when there is none of that name. */
export async function ifPresent<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}
