import type { Disposable } from '@slipway/base';
import {
  deepEqual,
  type ExpressionBindings,
  type Frozen,
  type KubeObject,
  notFound,
  StatusError,
  asJson,
} from '@slipway/kube';
import type { AdmissionPlugin, AdmissionRequest, MutationRound } from '../../contract/index.js';
import { expressionBindings, namespaceObject } from '../expression-context.js';
import type { View } from '../matching/equivalents.js';
import { matchRequest } from '../matching/match-resources.js';
import { VersionedRequest } from '../matching/versioned-request.js';
import { admissionNamespace, forbiddenRequestOf } from '../refuse.js';
import { type RoundMemory, roundMemory } from '../round-memory.js';
import { applyMutation } from './mutations.js';
import { collectParams } from './params.js';
import { type Binding, type MutatingPolicy, mutatingPolicyOf } from './policy.js';
import { PolicyEvaluation } from './policy-evaluation.js';
import { type BoundPolicy, PolicySource } from './policy-source.js';
import type { PolicyPluginOptions } from './validating-policies.js';

/** One evaluation of a policy: for one binding and one parameter object. */
interface Invocation {
  readonly policy: MutatingPolicy;
  readonly binding: Binding;
  readonly view: View;
  readonly param: Frozen<KubeObject> | undefined;
}

interface Problem {
  readonly policy: MutatingPolicy;
  readonly binding: Binding | undefined;
  readonly message: string;
  /** True if an expression failed; false if the policy or its binding could not be configured. */
  readonly invalid: boolean;
}

/** The MutatingAdmissionPolicy admission plugin. */
export class MutatingPolicies implements AdmissionPlugin, Disposable {
  readonly name = 'MutatingAdmissionPolicy';
  readonly #options: PolicyPluginOptions;
  readonly #source: PolicySource<MutatingPolicy>;

  constructor(options: PolicyPluginOptions) {
    this.#options = options;
    this.#source = new PolicySource(
      options.sources,
      {
        policies: 'admissionregistration.k8s.io/mutatingadmissionpolicies',
        bindings: 'admissionregistration.k8s.io/mutatingadmissionpolicybindings',
      },
      mutatingPolicyOf,
    );
  }

  handles(request: AdmissionRequest): boolean {
    return this.#source.candidates(request).length > 0;
  }

  async mutate(request: AdmissionRequest, round: MutationRound): Promise<void> {
    const own = this.#options.sources.equivalents.view(request.resource);
    if (own === undefined) return;
    const problems: Problem[] = [];
    const invocations: Invocation[] = [];
    for (const bound of this.#source.candidates(request))
      invocations.push(...(await this.#invocations(bound, request, problems)));
    if (invocations.length > 0)
      await this.#run(invocations, request, new VersionedRequest(request, own), { round, problems });
    const counted = problems.filter(({ policy }) => !policy.ignoresFailure);
    if (counted.length > 0) throw refusal(request, counted);
  }

  dispose(): void {
    this.#source.dispose();
  }

  async #invocations(
    { policy, bindings }: BoundPolicy<MutatingPolicy>,
    request: AdmissionRequest,
    problems: Problem[],
  ): Promise<readonly Invocation[]> {
    const { sources } = this.#options;
    const found: Invocation[] = [];
    let current: Binding | undefined;
    try {
      const view = matchRequest(policy.match, request, sources);
      if (view === undefined) return [];
      for (const binding of bindings) {
        current = binding;
        if (matchRequest(binding.match, request, sources) === undefined) continue;
        const params = await collectParams(policy, binding, request, this.#options.params);
        found.push(...params.map((param) => ({ policy, binding, view, param })));
      }
    } catch (error) {
      const subject = current === undefined ? 'policy' : 'binding';
      const message = `failed to configure ${subject}: ${error instanceof Error ? error.message : String(error)}`;
      problems.push({ policy, binding: current, message, invalid: false });
    }
    return found;
  }

  async #run(
    invocations: readonly Invocation[],
    request: AdmissionRequest,
    versioned: VersionedRequest,
    state: { readonly round: MutationRound; readonly problems: Problem[] },
  ): Promise<void> {
    const { round, problems } = state;
    const memory = roundMemory(round, this.name);
    if (round.repeated && memory.changedSince(request.object)) memory.recallAll();
    const namespace = this.#namespace(request);
    for (const invocation of invocations) {
      const problem = await this.#runOne(invocation, request, versioned, { round, memory, namespace });
      if (problem !== undefined)
        problems.push({ policy: invocation.policy, binding: invocation.binding, message: problem, invalid: true });
    }
    await versioned.finish();
    memory.remember(request.object);
  }

  /** Applies the mutations of a policy in order. Returns an error message if a mutation fails. */
  async #runOne(
    { policy, binding, view, param }: Invocation,
    request: AdmissionRequest,
    versioned: VersionedRequest,
    state: {
      readonly round: MutationRound;
      readonly memory: RoundMemory;
      readonly namespace: ExpressionBindings['namespaceObject'];
    },
  ): Promise<string | undefined> {
    const evaluationOf = async (): Promise<PolicyEvaluation> => {
      const values = expressionBindings(request, view, await versioned.at(view), this.#options.authorizer);
      return new PolicyEvaluation(policy, { ...values, namespaceObject: state.namespace }, param);
    };
    const outcome = (await evaluationOf()).conditions();
    if (outcome === 'noMatch') return undefined;
    if (outcome !== 'match') return outcome.error;
    const id = JSON.stringify([policy.name, binding.name, param?.metadata.namespace, param?.metadata.name]);
    if (state.round.repeated && !state.memory.isRecalled(id)) return undefined;
    const before = (await versioned.at(view)).object;
    let problem: string | undefined;
    for (const mutation of policy.mutations) {
      const { object } = await versioned.at(view);
      if (object === undefined) break;
      const result = applyMutation(mutation, object, view, await evaluationOf());
      if (result.object !== undefined) versioned.replace(view, result.object);
      problem ??= result.problem;
    }
    if (!deepEqual(before, (await versioned.at(view)).object)) {
      state.memory.recallAll();
      state.round.repeat();
    }
    if (policy.reinvoked) state.memory.mayRecall(id);
    return problem;
  }

  #namespace(request: AdmissionRequest): ExpressionBindings['namespaceObject'] {
    const namespace = namespaceObject(request, this.#options.sources.store);
    if (namespace !== null) return asJson(namespace);
    if (request.namespace === '') return null;
    throw notFound({ group: '', resource: 'namespaces' }, admissionNamespace(request));
  }
}

function refusal(request: AdmissionRequest, problems: readonly Problem[]): StatusError {
  const texts = problems.map(({ policy, binding, message }) =>
    binding === undefined
      ? `policy "${policy.name}" denied request: ${message}`
      : `policy '${policy.name}' with binding '${binding.name}' denied request: ${message}`,
  );
  const forbidden = forbiddenRequestOf(request, '');
  return new StatusError({
    code: 403,
    reason: problems[0]?.invalid === true ? 'Invalid' : 'Forbidden',
    message: texts[0] ?? '',
    details: { ...forbidden.details, causes: texts.map((message) => ({ message })) },
  });
}
