import type { Random } from '@slipway/base';
import {
  asJson,
  asObject,
  cloneJson,
  type CustomResourceDefinition,
  deepEqual,
  formatApiVersion,
  formatFieldError,
  type Frozen,
  generateUid,
  type KubeObject,
  type MutableJson,
  type MutableJsonObject,
  StatusError,
  textOf,
  validateAnnotations,
  validateLabels,
} from '@slipway/kube';
import type { Converter } from '../../kinds/index.js';
import type { ClientConfig } from '../../http/webhooks/client-config.js';
import { isPlainObject } from '../../http/webhooks/json-shape.js';
import type { WebhookClient } from '../../http/webhooks/webhook-client.js';

export interface ConversionWebhookOptions {
  readonly client: WebhookClient;
  readonly random: Random;
  readonly clientConfig: ClientConfig;
  /** ConversionReview versions that the webhook supports, in order of preference. */
  readonly reviewVersions: readonly string[];
}

/** Timeout of a conversion. Upstream waits as long as the API request takes; this is the maximum duration of a request. */
const conversionTimeoutMs = 30_000;
const supportedReviews = ['v1', 'v1beta1'];

/** Returns a converter that calls the conversion webhook of a CRD, once for all objects that are not at the desired version. */
export function createConversionWebhook(crd: CustomResourceDefinition, options: ConversionWebhookOptions): Converter {
  const { group } = crd.spec;
  return async (objects, toVersion) => {
    const apiVersion = formatApiVersion({ group, version: toVersion });
    const others = objects.filter((object) => object.apiVersion !== apiVersion);
    if (others.length === 0) return objects.map(copyOf);
    const converted = await convert(others, apiVersion, options);
    let next = 0;
    return objects.map((object) => {
      if (object.apiVersion === apiVersion) return copyOf(object);
      const result = converted[next] as KubeObject;
      next += 1;
      return result;
    });
  };
}

function copyOf(object: Frozen<KubeObject>): KubeObject {
  return asObject(cloneJson(asJson(object)));
}

async function convert(
  objects: readonly Frozen<KubeObject>[],
  apiVersion: string,
  options: ConversionWebhookOptions,
): Promise<readonly KubeObject[]> {
  const first = objects[0] as Frozen<KubeObject>;
  const kind = `${first.apiVersion}, Kind=${first.kind}`;
  const reviewVersion = options.reviewVersions.find((version) => supportedReviews.includes(version));
  if (reviewVersion === undefined) throw failure('no supported conversion review versions');
  const uid = generateUid(options.random);
  const converted = await callWebhook(objects, { apiVersion, reviewVersion, uid, kind }, options);
  if (converted.length !== objects.length)
    throw failure(`conversion webhook for ${kind} returned ${converted.length} objects, expected ${objects.length}`);
  return converted.map((result, index) => {
    const original = objects[index] as Frozen<KubeObject>;
    try {
      return checkConverted(original, result, apiVersion);
    } catch (error) {
      if (!(error instanceof ConversionProblem)) throw error;
      const where = objects.length === 1 ? error.single : error.several(index);
      throw failure(`conversion webhook for ${kind} returned ${where}: ${error.message}`);
    }
  });
}

interface Question {
  readonly apiVersion: string;
  readonly reviewVersion: string;
  readonly uid: string;
  readonly kind: string;
}

async function callWebhook(
  objects: readonly Frozen<KubeObject>[],
  question: Question,
  options: ConversionWebhookOptions,
): Promise<readonly MutableJson[]> {
  const reviewApiVersion = `apiextensions.k8s.io/${question.reviewVersion}`;
  try {
    const answer = await options.client.post({
      config: options.clientConfig,
      timeoutMs: conversionTimeoutMs,
      announceTimeout: false,
      body: {
        kind: 'ConversionReview',
        apiVersion: reviewApiVersion,
        request: { uid: question.uid, desiredAPIVersion: question.apiVersion, objects },
      },
    });
    return convertedObjects(answer, question, reviewApiVersion);
  } catch (error) {
    throw failure(
      `conversion webhook for ${question.kind} failed: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Returns the error of a failed conversion. Like upstream, it is a 500 without a reason. */
function failure(message: string): StatusError {
  return new StatusError({ code: 500, reason: '', message });
}

function convertedObjects(answer: MutableJson, question: Question, reviewApiVersion: string): readonly MutableJson[] {
  const review = isPlainObject(answer) ? answer : {};
  // For v1beta1, upstream checks neither kind nor uid of the response.
  if (question.reviewVersion === 'v1') checkReviewKind(review, reviewApiVersion);
  const { response } = review;
  if (!isPlainObject(response)) throw new Error('no response provided');
  if (question.reviewVersion === 'v1' && response['uid'] !== question.uid)
    throw new Error(`expected response.uid="${question.uid}", got ${JSON.stringify(textOf(response['uid']))}`);
  const result = isPlainObject(response['result']) ? response['result'] : {};
  if (result['status'] !== 'Success') {
    const message = textOf(result['message']);
    throw new Error(
      message === '' ? `response.result.status was '${textOf(result['status'])}', not 'Success'` : message,
    );
  }
  return Array.isArray(response['convertedObjects']) ? response['convertedObjects'] : [];
}

function checkReviewKind(review: MutableJsonObject, apiVersion: string): void {
  if (review['kind'] === 'ConversionReview' && review['apiVersion'] === apiVersion) return;
  const got = `${textOf(review['apiVersion']) || '/'}, Kind=${textOf(review['kind'])}`;
  throw new Error(`expected webhook response of ${apiVersion}, Kind=ConversionReview, got ${got}`);
}

/** Thrown if a converted object is invalid. Upstream's wording depends on whether one or several objects were converted. */
class ConversionProblem extends Error {
  override readonly name = 'ConversionProblem';
  readonly #about: 'object' | 'version' | 'metadata';

  constructor(about: 'object' | 'version' | 'metadata', message: string) {
    super(message);
    this.#about = about;
  }

  get single(): string {
    if (this.#about === 'metadata') return 'invalid metadata';
    return this.#about === 'version' ? 'invalid object at index 0' : 'invalid object';
  }

  several(index: number): string {
    return this.#about === 'metadata'
      ? `invalid metadata in object at index ${index}`
      : `invalid converted object at index ${index}`;
  }
}

/** Validates a converted object and restores its metadata: a conversion webhook may change labels and annotations only. */
function checkConverted(original: Frozen<KubeObject>, result: MutableJson, apiVersion: string): KubeObject {
  if (!isPlainObject(result)) throw new ConversionProblem('object', 'not an object');
  if (result['apiVersion'] !== apiVersion)
    throw new ConversionProblem(
      'version',
      `invalid groupVersion (expected ${apiVersion}, received ${textOf(result['apiVersion'])})`,
    );
  if (result['kind'] !== original.kind)
    throw new ConversionProblem(
      'version',
      `invalid kind (expected ${original.kind}, received ${textOf(result['kind'])})`,
    );
  const { metadata } = result;
  if (metadata === undefined) throw new ConversionProblem('metadata', 'missing metadata in converted object');
  if (!isPlainObject(metadata))
    throw new ConversionProblem('metadata', 'invalid metadata in converted object: it is not an object');
  for (const [field, title] of identities) {
    const [before, after] = [original.metadata[field] ?? '', textOf(metadata[field])];
    if (before !== after) throw new ConversionProblem('object', `must have the same ${title}: ${before} != ${after}`);
  }
  result['metadata'] = restoredMetadata(original, metadata);
  return asObject(result);
}

const identities = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;

function restoredMetadata(original: Frozen<KubeObject>, received: MutableJsonObject): MutableJsonObject {
  const metadata = cloneJson(asJson(original))['metadata'] as MutableJsonObject;
  for (const field of ['labels', 'annotations'] as const) {
    const values = received[field];
    if (values === undefined || values === null) delete metadata[field];
    else metadata[field] = checkTexts(field, values, original.metadata[field]);
  }
  return metadata;
}

function checkTexts(
  field: 'labels' | 'annotations',
  values: MutableJson,
  before: Readonly<Record<string, string>> | undefined,
): MutableJsonObject {
  if (!isPlainObject(values))
    throw new ConversionProblem('metadata', `invalid metadata.${field} in converted object: it is not an object`);
  for (const [key, value] of Object.entries(values)) {
    if (typeof value !== 'string')
      throw new ConversionProblem('metadata', `metadata.${field}[${key}] must be a string in converted object`);
  }
  if (deepEqual(values, before)) return values;
  const validate = field === 'labels' ? validateLabels : validateAnnotations;
  const problems = validate(values as Record<string, string>, `metadata.${field}`);
  if (problems.length > 0) throw new ConversionProblem('metadata', problems.map(formatFieldError).join(', '));
  return values;
}
