import type { Disposable } from '@slipway/base';
import {
  type ExpressionBindings,
  type Frozen,
  type KubeObject,
  notFound,
  StatusError,
  type StatusReason,
  asJson,
} from '@slipway/kube';
import type { AdmissionPlugin, AdmissionRequest, Authorizer } from '../../contract/index.js';
import { expressionBindings, namespaceObject } from '../expression-context.js';
import { matchRequest, type MatchSources } from '../matching/match-resources.js';
import { VersionedRequest } from '../matching/versioned-request.js';
import { admissionNamespace, forbiddenRequestOf, isNamespace } from '../refuse.js';
import { collectParams, type ParamSources } from './params.js';
import { type Binding, type ValidatingPolicy, validatingPolicyOf } from './policy.js';
import { type BoundPolicy, PolicySource } from './policy-source.js';
import { type Decision, evaluateValidations } from './validations.js';

export interface PolicyPluginOptions {
  readonly sources: MatchSources;
  readonly params: ParamSources;
  readonly authorizer: Authorizer;
}

const codes: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
};

interface Denied {
  readonly policy: ValidatingPolicy;
  readonly binding: Binding | undefined;
  readonly message: string;
  readonly reason: string;
}

/** The ValidatingAdmissionPolicy admission plugin. */
export class ValidatingPolicies implements AdmissionPlugin, Disposable {
  readonly name = 'ValidatingAdmissionPolicy';
  readonly #options: PolicyPluginOptions;
  readonly #source: PolicySource<ValidatingPolicy>;

  constructor(options: PolicyPluginOptions) {
    this.#options = options;
    this.#source = new PolicySource(
      options.sources,
      {
        policies: 'admissionregistration.k8s.io/validatingadmissionpolicies',
        bindings: 'admissionregistration.k8s.io/validatingadmissionpolicybindings',
      },
      validatingPolicyOf,
    );
  }

  handles(request: AdmissionRequest): boolean {
    return this.#source.candidates(request).length > 0;
  }

  async validate(request: AdmissionRequest): Promise<void> {
    const own = this.#options.sources.equivalents.view(request.resource);
    if (own === undefined) return;
    const versioned = new VersionedRequest(request, own);
    const denied: Denied[] = [];
    for (const bound of this.#source.candidates(request))
      denied.push(...(await this.#check(bound, request, versioned)));
    const [first] = denied;
    if (first !== undefined) throw refusal(request, first);
  }

  dispose(): void {
    this.#source.dispose();
  }

  async #check(
    { policy, bindings }: BoundPolicy<ValidatingPolicy>,
    request: AdmissionRequest,
    versioned: VersionedRequest,
  ): Promise<readonly Denied[]> {
    const misconfigured = (error: unknown, binding?: Binding): readonly Denied[] =>
      policy.ignoresFailure ? [] : [{ policy, binding, message: configurationText(error, binding), reason: 'Invalid' }];
    let values: ExpressionBindings;
    try {
      const view = matchRequest(policy.match, request, this.#options.sources);
      if (view === undefined) return [];
      values = expressionBindings(request, view, await versioned.at(view), this.#options.authorizer);
    } catch (error) {
      return misconfigured(error);
    }
    const denied: Denied[] = [];
    for (const binding of bindings) {
      try {
        if (matchRequest(binding.match, request, this.#options.sources) === undefined) continue;
        const params = await collectParams(policy, binding, request, this.#options.params);
        denied.push(...this.#evaluate(policy, binding, request, values, params));
      } catch (error) {
        if (error instanceof MissingNamespace) throw error.refusal;
        denied.push(...misconfigured(error, binding));
      }
    }
    return denied;
  }

  #evaluate(
    policy: ValidatingPolicy,
    binding: Binding,
    request: AdmissionRequest,
    values: ExpressionBindings,
    params: readonly (Frozen<KubeObject> | undefined)[],
  ): readonly Denied[] {
    const bindings = { ...values, namespaceObject: this.#namespace(request) };
    const failures = params.flatMap((param) => evaluateValidations(policy, bindings, param));
    return failures.flatMap((failure) => applyActions(policy, binding, request, failure));
  }

  #namespace(request: AdmissionRequest): ExpressionBindings['namespaceObject'] {
    const namespace = namespaceObject(request, this.#options.sources.store);
    if (namespace !== null) return asJson(namespace);
    if (request.namespace === '' || isNamespace(request.resource)) return null;
    throw new MissingNamespace(admissionNamespace(request));
  }
}

/** Thrown if the Namespace of the request does not exist. Fails the request regardless of the failure policy. */
class MissingNamespace extends Error {
  override readonly name = 'MissingNamespace';
  readonly refusal: StatusError;

  constructor(namespace: string) {
    super(namespace);
    this.refusal = notFound({ group: '', resource: 'namespaces' }, namespace);
  }
}

function configurationText(error: unknown, binding: Binding | undefined): string {
  const subject = binding === undefined ? 'policy' : 'binding';
  return `failed to configure ${subject}: ${error instanceof Error ? error.message : String(error)}`;
}

/** Applies the validation actions of the binding to a failed validation. */
function applyActions(
  policy: ValidatingPolicy,
  binding: Binding,
  request: AdmissionRequest,
  { message, reason, always }: Decision,
): readonly Denied[] {
  if (binding.actions.includes('Warn') && !always) {
    request.warn(
      `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${message}`,
    );
  }
  return always || binding.actions.includes('Deny') ? [{ policy, binding, message, reason }] : [];
}

function refusal(request: AdmissionRequest, { policy, binding, message, reason }: Denied): StatusError {
  const by = binding === undefined ? '' : ` with binding '${binding.name}'`;
  const text = `ValidatingAdmissionPolicy '${policy.name}'${by} denied request: ${message}`;
  const forbidden = forbiddenRequestOf(request, text);
  return new StatusError({
    code: Object.hasOwn(codes, reason) ? (codes[reason] as number) : 422,
    reason: reason as StatusReason,
    message: forbidden.message,
    details: { ...forbidden.details, causes: [{ message: text }] },
  });
}
